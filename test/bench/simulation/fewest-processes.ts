import { costOf } from './cost.js';
import { type Outcome, simulate, type Site } from './simulate.js';

/** Nobody should plan with more than this of a core. */
const BEARABLE = 0.6;

interface Wanted {
  /** One request in 100 may take longer. */
  readonly withinMs: number;
  readonly requests: number;
  readonly seed: string;
}

interface Found extends Outcome {
  readonly processes: number;
}

/** The smallest number of processes that are quick enough, with room at them and at the database; undefined if none are. */
export function fewestProcesses(
  site: Omit<Site, 'processes'>,
  { withinMs, requests, seed }: Wanted,
): Found | undefined {
  const busyIf = (together: number) =>
    site.kinds.reduce((sum, { share, service }) => sum + (share * costOf(service, together)) / together, 0) *
    (site.rate / 1000);
  // So many are needed if every turn is full, and so many have room if each request has a turn of its own.
  const least = Math.ceil(busyIf(site.mostTogether) / BEARABLE);
  const most = Math.ceil(busyIf(1) / BEARABLE) + 1;
  // One after the other: more processes share less, so that more may be too many for the database.
  for (let processes = least; processes <= most; processes++) {
    const outcome = simulate({ ...site, processes }, requests, seed);
    const busiest = Math.max(outcome.processUtilisation, outcome.coreUtilisation);
    if (outcome.p99Ms < withinMs && busiest < BEARABLE) return { processes, ...outcome };
  }
  return undefined;
}
