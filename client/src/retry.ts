import { codeIn, PetStoreUnreachable } from './errors.js';
import type { RetryLimits } from './options.js';
import { type ApiResponse, retryAfterOf } from './response.js';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** Codes of requests that the service has not begun to execute. The statuses 408 and 429 have the same meaning. */
const NOT_BEGUN = new Set(['idempotency_in_progress', 'overloaded', 'service_unavailable']);
/** Statuses after which a request may have been executed. They may also come from a proxy. */
const MAYBE_DONE = new Set([500, 502, 503, 504]);

/** The outcome of a try. */
export type Outcome = ApiResponse | PetStoreUnreachable;

/**
 * How long to wait before the next try, in milliseconds. Undefined if a further try would not help, or could execute the request
 * twice. The service's error codes say so in their column "Retry?".
 * @param isSafe whether the service executes the request only once, however often it is sent
 */
export function waitBeforeNextTry(
  outcome: Outcome,
  tries: number,
  isSafe: boolean,
  { maxTries, maxWaitMs }: RetryLimits,
  random: () => number,
): number | undefined {
  const isUnreachable = outcome instanceof PetStoreUnreachable;
  const helps = isUnreachable ? isSafe : isNotBegun(outcome) || (isSafe && MAYBE_DONE.has(outcome.status));
  const asked = isUnreachable ? 0 : (retryAfterOf(outcome) ?? 0) * 1_000;
  if (!helps || tries >= maxTries || asked > maxWaitMs) return undefined;
  // The bound doubles with each try, and the wait is a random time below it ("full jitter"), so that clients do not come back all
  // at once.
  return asked + random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1));
}

function isNotBegun(response: ApiResponse): boolean {
  return response.status === 408 || response.status === 429 || NOT_BEGUN.has(codeIn(response) ?? '');
}
