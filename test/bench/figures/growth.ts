import type { ScenarioName } from '../traffic/scenarios.js';
import type { Measured } from '../servers/running-server.js';
import { type Spread, spreadOf } from './statistics.js';

/** One point of a growing quantity. */
export interface Place {
  readonly at: number;
  /** Runs before each load. */
  readonly prepare?: () => Promise<void>;
  readonly load: (scenario: ScenarioName, shape: { readonly seconds: number }) => Promise<Measured>;
}

/** A growing quantity, such as the number of animals. */
export interface Kind {
  readonly what: string;
  readonly scenarios: readonly ScenarioName[];
  readonly places: readonly Place[];
}

const MEASURES = ['requestsPerSecond', 'p50Ms', 'p99Ms', 'cpuMicrosPerRequest', 'residentMiB'] as const;

export interface Growth {
  readonly what: string;
  readonly places: readonly ({ at: number; scenario: ScenarioName; faults: string[] } & Record<
    (typeof MEASURES)[number],
    Spread
  >)[];
}

/** Aggregates all turns at each place. @param seen the turns of each place */
export function placesOf(
  scenario: ScenarioName,
  places: readonly Place[],
  seen: readonly (readonly Measured[])[],
): Growth['places'] {
  return places.map(({ at }, i) => {
    const turns = seen[i]!;
    const spreads = MEASURES.map((measure) => [measure, spreadOf(turns.map((one) => one[measure]))!]);
    const figures = Object.fromEntries(spreads) as Record<(typeof MEASURES)[number], Spread>;
    return { at, scenario, faults: turns.flatMap(({ faults }) => faults), ...figures };
  });
}
