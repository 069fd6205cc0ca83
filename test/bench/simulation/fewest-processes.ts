import { costOf } from './cost.js';
import { type Outcome, simulate, type Site } from './simulate.js';

/** Highest utilisation of a core to plan with. */
const BEARABLE = 0.6;

interface Wanted {
  /** Limit for p99: one request in 100 may take longer. */
  readonly withinMs: number;
  readonly requests: number;
  readonly seed: string;
}

interface Found extends Outcome {
  readonly processes: number;
}

/** The smallest number of processes that meets p99, with spare CPU in them and the database; undefined if there is none. */
export function fewestProcesses(
  site: Omit<Site, 'processes'>,
  { withinMs, requests, seed }: Wanted,
): Found | undefined {
  const busyIf = (together: number) =>
    site.kinds.reduce((sum, { share, service }) => sum + (share * costOf(service, together)) / together, 0) *
    (site.rate / 1000);
  // The lower bound assumes that every turn is full, the upper bound that each request has its own turn.
  const least = Math.ceil(busyIf(site.mostTogether) / BEARABLE);
  const most = Math.ceil(busyIf(1) / BEARABLE) + 1;
  // Linear search: more processes share less, so a larger number may overload the database.
  for (let processes = least; processes <= most; processes++) {
    const outcome = simulate({ ...site, processes }, requests, seed);
    const busiest = Math.max(outcome.processUtilisation, outcome.coreUtilisation);
    if (outcome.p99Ms < withinMs && busiest < BEARABLE) return { processes, ...outcome };
  }
  return undefined;
}
