import type { History, Use, Violation } from './history.js';

/**
 * A window begins with the first use and lasts for the time of the rate, so in any stretch of that length there are the ends of
 * at most two. A process that has just begun may count by itself until it has reached Redis, and while Redis keeps it waiting.
 */
export function checkRates({ uses, rate }: History): Violation[] {
  if (!rate) return [];
  const isCounted = ({ isAdmitted, sent, ended }: Use) => isAdmitted && ended - sent < rate.patience;
  const admitted = uses.filter(isCounted).toSorted((a, b) => a.ended - b.ended);
  const most = (2 + rate.restarts) * rate.limit;
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
  const windows = Math.ceil(lasted / stretch) + 1 + rate.restarts;
  return admitted.length > windows * rate.limit
    ? [{ rule: 'rate', text: `${admitted.length} uses in ${windows} windows of ${rate.limit}` }]
    : [];
}
