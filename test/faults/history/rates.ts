import type { History, Use, Violation } from './history.js';

/**
 * A window begins with the first use and lasts for the period of the rate, so any interval of that length overlaps at most two
 * windows. A process that has just started may count on its own until it has reached Redis. After a late response of Redis it counts on
 * its own for a second, which also overlaps two windows.
 */
export function checkRates({ uses, rate }: History): Violation[] {
  if (!rate) return [];
  const isCounted = ({ isAdmitted, sent, ended }: Use) => isAdmitted && ended - sent < rate.patience;
  const admitted = uses.filter(isCounted).toSorted((a, b) => a.ended - b.ended);
  const alone = rate.restarts + 2 * rate.lapses;
  const most = (2 + alone) * rate.limit;
  const stretch = rate.seconds * 1_000;
  let from = 0;
  for (const [to, { ended }] of admitted.entries()) {
    while (ended - admitted[from]!.ended >= stretch) from++;
    const within = admitted.slice(from, to + 1).filter(({ sent }) => sent >= ended - stretch).length;
    if (within > most)
      return [
        {
          rule: 'rate',
          text: `${within} uses within ${rate.seconds} s at ${Math.round(ended)}, ${most} at most`,
        },
      ];
  }
  const lasted =
    Math.max(0, ...admitted.map(({ ended }) => ended)) - Math.min(...admitted.map(({ sent }) => sent));
  const windows = Math.ceil(lasted / stretch) + 1 + alone;
  return admitted.length > windows * rate.limit
    ? [{ rule: 'rate', text: `${admitted.length} uses in ${windows} windows of ${rate.limit}` }]
    : [];
}
