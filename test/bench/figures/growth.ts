import type { ScenarioName } from '../traffic/scenarios.js';
import { undisturbed } from '../servers/machine.js';
import type { Measured, Timed } from '../servers/running-server.js';
import { WARM_UP } from '../traffic/wrk.js';
import { type Spread, spreadOf } from './statistics.js';

/** A service with its load, or another. */
export interface Side {
  readonly prepare?: () => Promise<void>;
  readonly load: (scenario: ScenarioName, timed: Timed | Pick<Timed, 'seconds'>) => Promise<Measured>;
}

/** One point of a growing quantity. */
export interface Place extends Side {
  readonly at: number;
}

/** A growing quantity, such as the number of pets. */
export interface Kind {
  readonly what: string;
  readonly scenarios: readonly ScenarioName[];
  readonly places: readonly Place[];
}

const MEASURES = ['requestsPerSecond', 'p50Ms', 'p99Ms', 'cpuMicrosPerRequest', 'residentMiB'] as const;

export interface Growth {
  readonly what: string;
  readonly places: readonly ({ at: number; scenario: ScenarioName; faults: readonly string[] } & Record<
    (typeof MEASURES)[number],
    Spread
  >)[];
}

/**
 * Measures a scenario on all sides in turns, of which each begins with another side, so that what else the machine does meets all.
 * @returns the turns of each side
 */
export async function inTurns(
  scenario: ScenarioName,
  sides: readonly Side[],
  turns: number,
  timed: Timed | Pick<Timed, 'seconds'>,
  signal: AbortSignal,
): Promise<Measured[][]> {
  const seen = sides.map((): Measured[] => []);
  for (let turn = 0; turn < turns; turn++) {
    for (let i = 0; i < sides.length; i++) {
      const side = (i + turn) % sides.length;
      const { prepare, load } = sides[side]!;
      await prepare?.();
      if (prepare || turn === 0) await load(scenario, { seconds: WARM_UP.seconds });
      seen[side]!.push(await undisturbed(() => load(scenario, timed), signal));
    }
  }
  return seen;
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
