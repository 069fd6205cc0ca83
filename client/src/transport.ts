import { type ClientOptions, type PetStoreOptions, readClientOptions } from './client-options.js';
import { deprecationIn } from './deprecation.js';
import { errorIn, PetStoreUnreachable, unexpected } from './errors.js';
import { type Json, readJson, writeJson } from './json.js';
import {
  type CallOptions,
  readHeaders,
  readRetryOptions,
  refuseUnknown,
  type TryDetails,
} from './options.js';
import { type ApiPromise, type ApiResponse, toApiPromise, type WithResponse } from './response.js';
import { type Outcome, waitBeforeNextTry } from './retry.js';
import { withDeadline } from './timers.js';

/** Parameters of a query. Undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | bigint | boolean | Date | undefined>>;

/** In milliseconds. A longer wait is logged as a warning. */
const LONG_WAIT = 10_000;

/** A call of an operation of the service. */
export interface ApiRequest {
  /** The operation's name in the OpenAPI document. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the base URL. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: Json | undefined;
  /** The service executes requests with this key only once. */
  readonly idempotencyKey?: string;
  readonly options: CallOptions;
}

/**
 * Sends requests with the API key, and repeats them if that helps. It is the first argument of the functions of all operations.
 */
export class Transport {
  readonly #options: ClientOptions;

  /** @throws TypeError, RangeError if an option is unusable */
  constructor(options: PetStoreOptions) {
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
    const request = build();
    const response = await this.#tryUntilDone(request);
    const notice = deprecationIn(response, request.operation);
    if (notice) this.#options.onDeprecated(notice);
    if (response.status < 200 || response.status > 299) throw errorIn(response);
    return { data: read(parse(response), response), response };
  }

  async #tryUntilDone(request: ApiRequest): Promise<ApiResponse> {
    const { sleep, random } = this.#options;
    const { operation, method, idempotencyKey, options } = request;
    const { signal } = options;
    refuseUnknown(options, operation);
    const limits = readRetryOptions(options, this.#options.limits);
    const url = this.#urlOf(request);
    const init = this.#initOf(request);
    // These requests may be repeated (RFC 9110 section 9.2.2).
    const isSafe = method === 'GET' || method === 'DELETE' || idempotencyKey !== undefined;
    for (let tries = 1; ; tries++) {
      const start = performance.now();
      const outcome = await this.#try(url, init, limits.timeoutMs, signal).catch((cause: unknown) => {
        signal?.throwIfAborted();
        return new PetStoreUnreachable(url, tries, cause);
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
    url: URL,
    init: RequestInit,
    timeoutMs: number,
    caller: AbortSignal | undefined,
  ): Promise<ApiResponse> {
    const { fetch } = this.#options; // browsers reject a fetch that is called as a method
    return withDeadline(timeoutMs, caller, async (signal) => {
      const response = await fetch(url, { ...init, signal });
      const { status, headers } = response;
      const requestId = headers.get('x-request-id') ?? undefined;
      return { status, headers, text: await response.text(), url, requestId };
    });
  }

  #urlOf({ path, query = {} }: ApiRequest): URL {
    const { baseUrl } = this.#options;
    const url = new URL(baseUrl + path);
    // The key is sent only below the base URL, so a path such as `@elsewhere.example` or `/../..` is rejected.
    if (!url.href.startsWith(`${baseUrl}/`) || url.hash)
      throw new TypeError('path must begin with a slash, such as /pets, and stay below baseUrl.');
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, textOf(value));
    return url;
  }

  #initOf({ method, body, idempotencyKey, options }: ApiRequest): RequestInit {
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

/** A whole number keeps all its digits, as in a body. */
function textOf(value: NonNullable<Query[string]>): string {
  if (value instanceof Date) return value.toISOString();
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
