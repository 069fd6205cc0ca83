import type { Answer } from './answer.js';
import { codeIn, PetStoreUnreachable } from './errors.js';
import { retryAfterOf } from './retry-after.js';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** How to try again. */
export interface RetryTerms {
  /** How often a request is sent at most, the first time included. */
  readonly maxTries: number;
  /** The longest `Retry-After` that is waited for, in milliseconds. */
  readonly maxWaitMs: number;
  /** Waits so many milliseconds, or throws the signal's reason. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 to below 1, as `Math.random` gives. */
  readonly random: () => number;
}

/** What is tried. The service must do it only once, however often it is asked. */
export interface Attempt {
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
  readonly send: () => Promise<Answer>;
}

/**
 * Tries until an answer comes that another try would not better, or there have been enough tries.
 * @throws PetStoreUnreachable if the last try failed without an answer; the signal's reason if it aborts
 */
export async function withRetries({ url, signal, send }: Attempt, terms: RetryTerms): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const isLast = tries >= terms.maxTries;
    const outcome = await send().catch((cause: unknown) => {
      signal?.throwIfAborted();
      return new PetStoreUnreachable(url, tries, cause);
    });
    let asked = 0;
    if (outcome instanceof PetStoreUnreachable) {
      if (isLast) throw outcome;
    } else {
      asked = (retryAfterOf(outcome.headers) ?? 0) * 1_000;
      if (isLast || asked > terms.maxWaitMs || !isPassing(outcome)) return outcome;
    }
    await terms.sleep(asked + backOff(tries, terms.random), signal);
  }
}

/** Whether the answer may be another one soon. */
const isPassing = (answer: Answer) =>
  answer.status === 429 ||
  answer.status === 503 ||
  (answer.status === 409 && codeIn(answer) === 'idempotency_in_progress');

/** Up to twice as long each time, and anything below that ("full jitter"), so that clients do not come back all at once. */
const backOff = (tries: number, random: () => number) =>
  random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1));
