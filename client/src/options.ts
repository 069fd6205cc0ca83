import type { Deprecation } from './deprecation.js';

/** How long and how often a call is tried. */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included; 4 if left out. */
  readonly maxTries?: number | undefined;
  /** The longest `Retry-After` that is waited for, in milliseconds; 60 000 if left out. After a longer one the call fails. */
  readonly maxWaitMs?: number | undefined;
  /** How long one try may take, in milliseconds; 30 000 if left out. */
  readonly timeoutMs?: number | undefined;
}

/** What every call takes; what it leaves out is as the client was told. */
export interface CallOptions extends RetryOptions {
  /** Ends the call, waiting included; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as well, such as `X-Request-Id` or `traceparent`. */
  readonly headers?: Headers | Readonly<Record<string, string>> | undefined;
}

/** What calls take that the service carries out once, however often they are sent. */
export interface CreateOptions extends CallOptions {
  /**
   * Calls with the same key do it once; 1 to 255 visible ASCII characters, no `"` and no `\`. Give your own if you want to
   * call again after your program has ended; each call makes a random one otherwise.
   */
  readonly idempotencyKey?: string | undefined;
}

/** What came of one try. */
export interface TryDetails {
  /** The operation's name in the OpenAPI document: `listPets`. Of `client.get` and the like `GET /pets/{id}`. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Which try it was, from 1 on. */
  readonly tries: number;
  readonly durationMs: number;
  /** How long is waited before the next try; undefined if this was the last. */
  readonly waitMs: number | undefined;
  readonly status?: number;
  readonly requestId?: string | undefined;
  /** Why there was no answer. */
  readonly error?: unknown;
}

/** Where the client says what it does; `console` is one. The API key is never part of it. */
export interface Logger {
  debug(message: string, details: TryDetails): void;
  /** A deprecated operation is used, or a try is followed by a wait of ten seconds or more. */
  warn(message: string, details: Deprecation | TryDetails): void;
}

export type RetryLimits = { readonly [Name in keyof RetryOptions]-?: number };

/** The longest time that timers know. */
const LONGEST_MS = 2 ** 31 - 1;
const IDEMPOTENCY_KEY = /^[!#-[\]-~]{1,255}$/;
/** What the client says itself: another key or type would be another request. */
const OWN_HEADERS = ['accept', 'authorization', 'content-type', 'idempotency-key'];

const CALL_OPTIONS = ['maxTries', 'maxWaitMs', 'timeoutMs', 'signal', 'headers'];

/** Finds mistyped names, which would change nothing. @throws TypeError */
export function refuseUnknown(
  options: object,
  target: string,
  known: readonly string[] = CALL_OPTIONS,
): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`${unknown} is no option of ${target}.`);
}

/** @throws RangeError if a number is unusable */
export function readRetryOptions(given: RetryOptions, otherwise?: RetryLimits): RetryLimits {
  const { maxTries, maxWaitMs, timeoutMs } = given;
  return {
    maxTries: inRange('maxTries', maxTries ?? otherwise?.maxTries ?? 4, 1, Number.MAX_SAFE_INTEGER),
    maxWaitMs: inRange('maxWaitMs', maxWaitMs ?? otherwise?.maxWaitMs ?? 60_000, 0, LONGEST_MS),
    timeoutMs: inRange('timeoutMs', timeoutMs ?? otherwise?.timeoutMs ?? 30_000, 1, LONGEST_MS),
  };
}

function inRange(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}.`);
}

/** @throws TypeError if the key is unusable */
export function readIdempotencyKey(idempotencyKey: string | undefined): string {
  // Not `randomUUID`, which pages that did not come by https do not have.
  if (idempotencyKey === undefined)
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('');
  if (IDEMPOTENCY_KEY.test(idempotencyKey)) return idempotencyKey;
  throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters without " and \\.');
}

/** @throws TypeError if they cannot be sent, or are the client's own */
export function readHeaders({ headers }: CallOptions): Headers {
  const given = new Headers(headers);
  const own = OWN_HEADERS.find((name) => given.has(name));
  if (own === undefined) return given;
  throw new TypeError(`headers must not have ${own}: the client sets it.`);
}

/** An int64: a bigint, or a number that has lost no digit. @throws TypeError */
export function readInteger(name: string, value: unknown): bigint {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BigInt(value as bigint | number);
  throw new TypeError(`${name} must be a bigint, such as 7n or BigInt('7').`);
}
