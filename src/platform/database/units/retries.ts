import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../errors.js';

const MAX_TRIES = 5;
/** If a host rejects changes, only another host may accept them, and the second try asks it. Reads work meanwhile, so nobody should wait. */
const MAX_TRIES_READ_ONLY = 2;
/** In ms. The delays have full jitter: each one is random, from 0 to a bound that doubles. */
const DELAY = { min: 40, max: 500 };
/** No try begins later, because the client would not wait for its response. */
const MAX_RETRY_TIME_MS = 2_000;
/** A token bucket. At most a tenth of all work is retried, so that an overloaded database does not get even more work. */
const RETRY_TOKENS_PER_CALL = 0.1;
const MAX_RETRY_TOKENS = 20;

/** When work may be retried: only if it was certainly not executed, or always, because the work is idempotent. */
export type Repeatable = 'if not executed' | 'always';

/** Statements that only read may always be retried. */
export function repeatableOf(statement: string): Repeatable {
  return /^[\s(]*(?:SELECT|SHOW|EXPLAIN|PRAGMA)\b/i.test(statement) ? 'always' : 'if not executed';
}

/** How long to wait after so many failures: first `min`, then twice as long after each failure, at most `max`. */
export const backOff = (failures: number, { min, max }: { readonly min: number; readonly max: number }) =>
  Math.min(min * 2 ** (failures - 1), max);

/** Runs `work` once at a time. Callers that come while it runs share its outcome. */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/** Repeats work while the database is unavailable. Nothing else retries statements. */
export class Retries {
  #tokens = MAX_RETRY_TOKENS;

  async run<Result>(repeatable: Repeatable, work: () => Promise<Result>): Promise<Result> {
    this.#tokens = Math.min(this.#tokens + RETRY_TOKENS_PER_CALL, MAX_RETRY_TOKENS);
    const startedAt = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        const isRepeatable = error.isTransient && (repeatable === 'always' || !error.isOutcomeUnknown);
        if (!isRepeatable) throw error;
        const delay = Math.random() * backOff(tries, DELAY);
        const isLate = performance.now() - startedAt + delay > MAX_RETRY_TIME_MS;
        if (isLate || !this.#mayTryAgain(error, tries)) throw error;
        await sleep(delay);
      }
    }
  }

  #mayTryAgain({ errorClass }: DatabaseUnavailable, tries: number): boolean {
    // Another process has the lock of the SQLite file. A try costs the database nothing, so only the time limits the tries.
    if (errorClass === 'busy') return true;
    if (tries === (errorClass === 'read_only' ? MAX_TRIES_READ_ONLY : MAX_TRIES)) return false;
    // A conflict costs the database little, and each competitor has to finish eventually, so it takes no token.
    if (errorClass === 'conflict') return true;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
