import { type ClientOptions, type PetStoreOptions, readClientOptions } from './client-options.js';
import { deprecationIn } from './deprecation.js';
import { errorIn, PetStoreUnreachable, unexpected } from './errors.js';
import { type Json, readJson, writeInstant, writeJson } from './json.js';
import {
  type CallOptions,
  isGiven,
  readHeaders,
  readOptions,
  readRetryOptions,
  readSignal,
  refuseUnknown,
  type RetryLimits,
  type TryDetails,
} from './options.js';
import { type ApiPromise, type ApiResponse, toApiPromise, type WithResponse } from './response.js';
import { type Outcome, waitBeforeNextTry } from './retry.js';
import { CallSignals } from './signals.js';
import { withDeadline } from './timers.js';

type QueryValue = string | number | bigint | boolean | Date;

/** Parameters of a query. Undefined and null ones are left out. A parameter with a list is repeated for each item. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | null | undefined>>;

/** In milliseconds. A longer wait is logged as a warning. */
const LONG_WAIT = 10_000;

/** A call of an operation of the service. */
export interface ApiRequest {
  /** The operation's name in the OpenAPI document. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the base URL. */
  readonly path: string;
  readonly query?: Query | null | undefined;
  readonly body?: Json | undefined;
  /** The service executes requests with this key only once. */
  readonly idempotencyKey?: string | undefined;
  readonly options: CallOptions | null | undefined;
}

/** A request whose arguments have been checked. */
interface PreparedRequest extends Pick<ApiRequest, 'operation' | 'method' | 'idempotencyKey'> {
  readonly url: URL;
  readonly init: RequestInit;
  readonly limits: RetryLimits;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends requests with the API key, and repeats them if that helps. It is the first argument of the functions of all operations.
 */
export class Transport {
  readonly #options: ClientOptions;
  readonly #signals = new CallSignals();

  /** @throws TypeError, RangeError if an option is unusable */
  constructor(options: PetStoreOptions = {}) {
    this.#options = readClientOptions(options);
  }

  /**
   * @internal
   * @param build makes the request. If it throws, the promise rejects with the same error.
   * @param read makes the result from JSON, or from undefined for a 204. If left out, there must be JSON.
   * @throws PetStoreError; PetStoreUnreachable; TypeError or RangeError before anything is sent; the reason of the signal
   */
  send<T>(
    build: () => ApiRequest,
    read: (data: unknown, response: ApiResponse) => T = readSome,
  ): ApiPromise<T> {
    return toApiPromise(this.#send(build, read));
  }

  async #send<T>(
    build: () => ApiRequest,
    read: (data: unknown, response: ApiResponse) => T,
  ): Promise<WithResponse<T>> {
    const request = this.#prepare(build());
    const response = await this.#signals.run(request.signal, (signal) => this.#tryUntilDone(request, signal));
    const notice = deprecationIn(response, request.operation);
    if (notice) this.#options.onDeprecated(notice);
    if (response.status < 200 || response.status > 299) throw errorIn(response);
    return { data: read(parse(response), response), response };
  }

  /** @throws TypeError, RangeError if an argument of the call is unusable */
  #prepare(request: ApiRequest): PreparedRequest {
    const { operation, method, idempotencyKey } = request;
    const options = readOptions(request.options, operation);
    refuseUnknown(options, operation);
    const limits = readRetryOptions(options, this.#options.limits);
    const signal = readSignal(options);
    const url = this.#urlOf(request);
    const init = this.#initOf(request, options);
    return { operation, method, url, init, idempotencyKey, limits, signal };
  }

  async #tryUntilDone(request: PreparedRequest, signal: AbortSignal | undefined): Promise<ApiResponse> {
    const { sleep, random } = this.#options;
    const { operation, method, url, idempotencyKey, limits } = request;
    // These requests may be repeated (RFC 9110 section 9.2.2).
    const isSafe = method === 'GET' || method === 'DELETE' || idempotencyKey !== undefined;
    for (let tries = 1; ; tries++) {
      const start = performance.now();
      const outcome = await this.#try(request, signal).catch((cause: unknown) => {
        signal?.throwIfAborted();
        return new PetStoreUnreachable(url, tries, cause, idempotencyKey);
      });
      const waitMs = waitBeforeNextTry(outcome, tries, isSafe, limits, random);
      const durationMs = performance.now() - start;
      this.#log(outcome, { operation, method, url: url.href, tries, durationMs, waitMs });
      if (waitMs !== undefined) await sleep(waitMs, signal);
      else if (outcome instanceof PetStoreUnreachable) throw outcome;
      else return outcome;
    }
  }

  /** Sends the request once. If the response breaks off, the try has failed, too. */
  #try(
    { url, init, idempotencyKey, limits }: PreparedRequest,
    caller: AbortSignal | undefined,
  ): Promise<ApiResponse> {
    const { fetch } = this.#options; // browsers reject a fetch that is called as a method
    return withDeadline(limits.timeoutMs, caller, async (signal) => {
      const response = await fetch(url, { ...init, signal });
      const { status, headers } = response;
      const requestId = headers.get('x-request-id') ?? undefined;
      return { status, headers, text: await response.text(), url, requestId, idempotencyKey };
    });
  }

  #urlOf({ path, query }: ApiRequest): URL {
    const { baseUrl } = this.#options;
    const url = new URL(baseUrl + path);
    // The key is sent only below the base URL, so a path such as `@elsewhere.example` or `/../..` is rejected.
    if (!url.href.startsWith(`${baseUrl}/`) || url.hash)
      throw new TypeError('path must begin with a slash, such as /pets, and stay below baseUrl.');
    addQuery(url.searchParams, query ?? {});
    return url;
  }

  #initOf({ method, body, idempotencyKey }: ApiRequest, options: CallOptions): RequestInit {
    const { apiKey, userAgent } = this.#options;
    const headers = readHeaders(options);
    headers.set('Accept', 'application/json');
    headers.set('Authorization', `Bearer ${apiKey}`);
    if (userAgent && !headers.has('User-Agent')) headers.set('User-Agent', userAgent);
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', `"${idempotencyKey}"`);
    // The service never redirects, and a redirect of another server could lead the key elsewhere.
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (body === undefined) return init;
    headers.set('Content-Type', 'application/json');
    return { ...init, body: writeJson(body) };
  }

  #log(outcome: Outcome, request: Omit<TryDetails, 'status' | 'requestId' | 'error'>): void {
    const isUnreachable = outcome instanceof PetStoreUnreachable;
    const { operation, method, url, durationMs, waitMs } = request;
    const what = isUnreachable ? `no answer (${String(outcome.cause)})` : outcome.status;
    const next = waitMs === undefined ? '' : `, again in ${Math.round(waitMs)} ms`;
    const message = `${operation}: ${method} ${url}: ${what} after ${Math.round(durationMs)} ms${next}`;
    const details = isUnreachable
      ? { ...request, error: outcome.cause }
      : { ...request, status: outcome.status, requestId: outcome.requestId };
    const { logger } = this.#options;
    if (waitMs === undefined || waitMs < LONG_WAIT) logger.debug(message, details);
    else logger.warn(`@petstore/client: ${message}`, details);
  }
}

/** Sets the parameters in place of parameters of the same name that the path has. @throws TypeError, RangeError */
function addQuery(parameters: URLSearchParams, query: Query): void {
  if (typeof query !== 'object' || Symbol.iterator in query)
    throw new TypeError('query must be an object, such as { limit: 5 }.');
  for (const [name, value] of Object.entries(query)) {
    if (!isGiven(value)) continue;
    // An empty list stays in the query, because without the parameter the service would return all items.
    const [first = '', ...others] = [value].flat().map((item) => textOf(name, item));
    parameters.set(name, first);
    for (const other of others) parameters.append(name, other);
  }
}

/** A whole number keeps all its digits, as in a body. */
function textOf(name: string, value: QueryValue): string {
  if (!isGiven(value)) throw new TypeError(`${name} must not have null or undefined in its list.`);
  if (value instanceof Date) return writeInstant(value);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`${name} must be a finite number.`);
  return typeof value === 'string' ? value : writeJson(value);
}

function parse(response: ApiResponse): unknown {
  if (response.status === 204) return undefined;
  try {
    return readJson(response.text);
  } catch (cause) {
    throw unexpected(response, 'something other than JSON', cause);
  }
}

function readSome<T>(data: unknown, response: ApiResponse): T {
  if (data === undefined) throw unexpected(response, 'nothing');
  return data as T;
}
