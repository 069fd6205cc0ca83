import type { Deprecation } from './deprecation.js';

/** How long a call may take, and how often it is repeated. */
export interface RetryOptions {
  /** How often a request is sent at most, including the first time; 4 if left out. */
  readonly maxTries?: number | undefined;
  /**
   * The longest `Retry-After` that the client waits for, in milliseconds; 60 000 if left out. After a longer one the call fails.
   */
  readonly maxWaitMs?: number | undefined;
  /** How long one try may take, in milliseconds; 30 000 if left out. */
  readonly timeoutMs?: number | undefined;
}

/** The options of every call. An option that is left out has its value from the options of the client. */
export interface CallOptions extends RetryOptions {
  /** Ends the call, even while it waits. The call then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Additional headers, such as `X-Request-Id` or `traceparent`. */
  readonly headers?: Headers | Readonly<Record<string, string>> | undefined;
}

/** The options of calls that the service executes only once, however often they are sent. */
export interface CreateOptions extends CallOptions {
  /**
   * Calls with the same key are executed once. A key has 1 to 255 visible ASCII characters, but no `"` and no `\`. Give your own
   * key if you want to repeat the call after your program has ended. Otherwise each call makes a random one.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The result of one try. */
export interface TryDetails {
  /**
   * The operation's name in the OpenAPI document, such as `listPets`. For `client.get` and the like, a text such as
   * `GET /pets/{id}`.
   */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** The number of the try, from 1 on. */
  readonly tries: number;
  readonly durationMs: number;
  /** How long the client waits before the next try; undefined if this was the last. */
  readonly waitMs: number | undefined;
  readonly status?: number;
  readonly requestId?: string | undefined;
  /** The reason why there was no response. */
  readonly error?: unknown;
}

/** Receives what the client logs, for example `console`. A message never contains the API key. */
export interface Logger {
  debug(message: string, details: TryDetails): void;
  /** Called if a deprecated operation is used, or if the client waits for ten seconds or more before the next try. */
  warn(message: string, details: Deprecation | TryDetails): void;
}

export type RetryLimits = { readonly [Name in keyof RetryOptions]-?: number };

/** The longest time that timers support. */
const LONGEST_MS = 2 ** 31 - 1;
const IDEMPOTENCY_KEY = /^[!#-[\]-~]{1,255}$/;
/** Headers that the client sets itself, because another key or type would make it another request. */
const OWN_HEADERS = ['accept', 'authorization', 'content-type', 'idempotency-key'];

const CALL_OPTIONS = ['maxTries', 'maxWaitMs', 'timeoutMs', 'signal', 'headers'];

/** Whether a value is given. Null stands for a value that is left out, as undefined does. */
export const isGiven = <T>(value: T): value is NonNullable<T> => value !== undefined && value !== null;

/** The options as an object, which is empty if they are left out. @throws TypeError if they are not an object */
export function readOptions<Options extends object>(
  options: Options | null | undefined,
  target: string,
  example = '{ maxTries: 1 }',
): Partial<Options> {
  if (!isGiven(options)) return {};
  if (typeof options === 'object') return options;
  throw new TypeError(`The options of ${target} must be an object, such as ${example}.`);
}

/** Finds misspelt options, which would have no effect. @throws TypeError */
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

/** @throws RangeError unless the value is a whole number in the range */
export function inRange(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}.`);
}

/** @throws TypeError if the key is unusable */
export function readIdempotencyKey(idempotencyKey: string | null | undefined): string {
  // Pages that did not come by https do not have `randomUUID`.
  if (!isGiven(idempotencyKey))
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('');
  if (IDEMPOTENCY_KEY.test(idempotencyKey)) return idempotencyKey;
  throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters without " and \\.');
}

/** @throws TypeError if the headers cannot be sent, or if the client sets them itself */
export function readHeaders({ headers }: CallOptions): Headers {
  const given = toHeaders(headers);
  const own = OWN_HEADERS.find((name) => given.has(name));
  if (own === undefined) return given;
  throw new TypeError(`headers must not have ${own}: the client sets it.`);
}

function toHeaders(headers: CallOptions['headers']): Headers {
  try {
    return new Headers(headers ?? undefined);
  } catch (cause) {
    throw new TypeError(`headers must be names and texts that HTTP allows: ${String(cause)}`, { cause });
  }
}

/** @throws TypeError if the signal is something else, such as the AbortController */
export function readSignal({ signal }: CallOptions): AbortSignal | undefined {
  if (!isGiven(signal)) return undefined;
  if (typeof signal.throwIfAborted === 'function') return signal;
  throw new TypeError('signal must be an AbortSignal.');
}

/** An int64: a bigint, or a number that has not lost any digit. @throws TypeError */
export function readInteger(name: string, value: unknown): bigint {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BigInt(value as bigint | number);
  throw new TypeError(`${name} must be a bigint, such as 7n or BigInt('7').`);
}
