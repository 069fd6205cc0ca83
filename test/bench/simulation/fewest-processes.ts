import { costOf } from './cost.js';
import { type Outcome, simulate, type Site } from './simulate.js';

/** Nobody should plan with more than this of a core. */
export const BEARABLE = 0.6;

interface Wanted {
  /** One request in 100 may take longer. */
  readonly withinMs: number;
  readonly requests: number;
  readonly seed: string;
}

interface Found extends Outcome {
  readonly processes: number;
}

/** The smallest number of processes that are quick enough and have room; undefined if the database keeps all from it. */
export function fewestProcesses(
  site: Omit<Site, 'processes'>,
  { withinMs, requests, seed }: Wanted,
): Found | undefined {
  const tried = (processes: number): Found | undefined => {
    const outcome = simulate({ ...site, processes }, requests, seed);
    const isEnough = outcome.p99Ms < withinMs && outcome.processUtilisation < BEARABLE;
    return isEnough ? { processes, ...outcome } : undefined;
  };
  const busyIf = (together: number) =>
    site.kinds.reduce((sum, { share, service }) => sum + (share * costOf(service, together)) / together, 0) *
    (site.rate / 1000);
  // So many are needed if every turn is full, and so many have room if each request has a turn of its own.
  let tooFew = Math.ceil(busyIf(site.mostPerTurn) / BEARABLE) - 1;
  let found = tried(Math.ceil(busyIf(1) / BEARABLE) + 1);
  while (found && found.processes > tooFew + 1) {
    const between = Math.floor((tooFew + found.processes) / 2);
    const fewer = tried(between);
    if (fewer) found = fewer;
    else tooFew = between;
  }
  return found;
}
