import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from './errors.js';

const MAX_TRIES = 5;
/** Full jitter: each delay is random, from 0 to a bound that doubles. */
const MIN_DELAY_BOUND_MS = 20;
const MAX_DELAY_BOUND_MS = 500;
/** After this time the client no longer waits for the answer. */
const MAX_RETRY_TIME_MS = 4_000;
/** A token bucket: at most a tenth of all work is retried, so that an overloaded database does not get even more to do. */
const RETRY_TOKENS_PER_CALL = 0.1;
const MAX_RETRY_TOKENS = 20;

/** When work may be retried: only if it was certainly not executed, or always, because it is idempotent. */
export type Repeatable = 'if not executed' | 'always';

/** Statements that only read may always be retried. */
export function repeatableOf(statement: string): Repeatable {
  return /^[\s(]*(?:SELECT|SHOW|EXPLAIN|PRAGMA)\b/i.test(statement) ? 'always' : 'if not executed';
}

/** The one place for retries: repeats work while the database is unavailable, and knows whether it takes changes. */
export class Retries {
  /** Why the database rejected the last change; undefined if it did not. */
  refusedChange: string | undefined;
  #tokens = MAX_RETRY_TOKENS;

  run<Result>(repeatable: Repeatable, work: () => Promise<Result>): Promise<Result> {
    this.#tokens = Math.min(this.#tokens + RETRY_TOKENS_PER_CALL, MAX_RETRY_TOKENS);
    return this.#run(
      (error) => error.isTransient && (repeatable === 'always' || !error.isOutcomeUnknown),
      repeatable === 'always' ? work : () => this.#changing(work),
    );
  }

  /** Retries idempotent work whose outcome is unknown; `run` has retried all other failures already. */
  retryUnknownOutcome<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#run((error) => error.isOutcomeUnknown, work);
  }

  async #changing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.refusedChange = undefined;
      return result;
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.code === 'database_read_only')
        this.refusedChange = (error.cause as Error).message;
      throw error;
    }
  }

  async #run<Result>(
    isRetryable: (error: DatabaseUnavailable) => boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || !isRetryable(error)) throw error;
        if (
          tries === MAX_TRIES ||
          performance.now() - startedAt > MAX_RETRY_TIME_MS ||
          !this.#takeToken(error)
        )
          throw error;
        await sleep(Math.random() * Math.min(MIN_DELAY_BOUND_MS * 2 ** tries, MAX_DELAY_BOUND_MS));
      }
    }
  }

  /** Conflicts cost the database little, and each competitor has to finish eventually, so they take no token. */
  #takeToken(error: DatabaseUnavailable): boolean {
    if (error.errorClass === 'conflict') return true;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
