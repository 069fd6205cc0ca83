import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from './database-errors.js';

const MOST_TRIES = 5;
/** Full jitter: each wait, in ms, is anything from 0 to a bound that doubles. */
const FIRST_BOUND = 20;
const LARGEST_BOUND = 500;
/** After so long, in ms, nobody waits for the answer any more. */
const PATIENCE = 4_000;
/** At most a tenth of all work is tried again, and a little more at first: a sick database must not get more to do. */
const SHARE = 0.1;
const RESERVE = 20;

/** What may be tried again: what surely was not done, or whatever failed because it does no harm the second time. */
export type Repeatable = 'if not executed' | 'always';

/** What the text of a lone statement tells of it: who only reads may always do so again. */
export function repeatableOf(statement: string): Repeatable {
  return /^[\s(]*(?:SELECT|SHOW|EXPLAIN|PRAGMA)\b/i.test(statement) ? 'always' : 'if not executed';
}

/** Tries again what failed only because the database could not work. The one place that does. */
export class Retries {
  #allowance = RESERVE;

  run<Result>(repeatable: Repeatable, work: () => Promise<Result>): Promise<Result> {
    this.#allowance = Math.min(this.#allowance + SHARE, RESERVE);
    return this.#run((error) => error.isPassing && (repeatable === 'always' || !error.mayBeDone), work);
  }

  /** Does again what may have been done: for work that does no harm the second time. All else was tried again already. */
  whileUnknown<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#run((error) => error.mayBeDone, work);
  }

  async #run<Result>(
    mayHelp: (error: DatabaseUnavailable) => boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const begin = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || !mayHelp(error)) throw error;
        if (tries === MOST_TRIES || performance.now() - begin > PATIENCE || !this.#allows(error)) throw error;
        await sleep(Math.random() * Math.min(FIRST_BOUND * 2 ** tries, LARGEST_BOUND));
      }
    }
  }

  /** Rivals for one thing cost the database little, and all of them must come to an end. */
  #allows(error: DatabaseUnavailable): boolean {
    if (error.outage === 'conflict') return true;
    if (this.#allowance < 1) return false;
    this.#allowance -= 1;
    return true;
  }
}
