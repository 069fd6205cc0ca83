import { type Deprecation, deprecationIn } from './deprecation.js';
import { errorIn, PetStoreUnreachable, unexpected } from './errors.js';
import { type Json, readJson, writeJson } from './json.js';
import {
  type CallOptions,
  type Logger,
  readHeaders,
  readRetryOptions,
  refuseUnknown,
  type RetryLimits,
  type TryDetails,
} from './options.js';
import { type ApiPromise, type ApiResponse, toApiPromise, type WithResponse } from './response.js';
import { type Outcome, waitBeforeNextTry } from './retry.js';
import { withDeadline } from './timers.js';

/** How to reach the service. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly userAgent: string | undefined;
  readonly limits: RetryLimits;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly onDeprecated: (notice: Deprecation) => void;
  readonly logger: Logger;
}

/** A call of an operation of the service. */
export interface ApiRequest {
  /** Its name in the OpenAPI document. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the base address. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: Json;
  /** Under which the service does it only once. */
  readonly idempotencyKey?: string;
  readonly options: CallOptions;
}

/** Sends requests with the API key, again where that helps. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /**
   * @param build makes the request; what it throws, the promise throws
   * @param read makes of JSON what is promised
   * @throws PetStoreError; PetStoreUnreachable; TypeError or RangeError before anything is sent; the signal's reason
   */
  send<T>(
    build: () => ApiRequest,
    read = (data: unknown, _response: ApiResponse): T => data as T,
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
    const isSafe = method === 'GET' || idempotencyKey !== undefined;
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

  /** One try. It counts as failed, too, if the answer breaks off. */
  #try(
    url: URL,
    init: RequestInit,
    timeoutMs: number,
    caller: AbortSignal | undefined,
  ): Promise<ApiResponse> {
    const { fetch } = this.#options; // browsers refuse a fetch that is called as a method
    return withDeadline(timeoutMs, caller, async (signal) => {
      const response = await fetch(url, { ...init, signal });
      const { status, headers } = response;
      const requestId = headers.get('x-request-id') ?? undefined;
      return { status, headers, text: await response.text(), url, requestId };
    });
  }

  #urlOf({ path, query = {} }: ApiRequest): URL {
    const url = new URL(this.#options.baseUrl + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  #initOf({ operation, method, body, idempotencyKey, options }: ApiRequest): RequestInit {
    const { apiKey, userAgent } = this.#options;
    const headers = readHeaders(options);
    headers.set('Accept', 'application/json');
    headers.set('Authorization', `Bearer ${apiKey}`);
    if (userAgent && !headers.has('User-Agent')) headers.set('User-Agent', userAgent);
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', `"${idempotencyKey}"`);
    // A redirect could lead the key elsewhere, and the service has none.
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (method === 'GET') return init;
    if (typeof body !== 'object') throw new TypeError(`${operation} needs an object to send.`);
    headers.set('Content-Type', 'application/json');
    return { ...init, body: writeJson(body) };
  }

  #log(outcome: Outcome, request: Omit<TryDetails, 'status' | 'requestId' | 'error'>): void {
    const isUnreachable = outcome instanceof PetStoreUnreachable;
    const { operation, method, url, durationMs, waitMs } = request;
    const what = isUnreachable ? `no answer (${String(outcome.cause)})` : outcome.status;
    const next = waitMs === undefined ? '' : `, again in ${Math.round(waitMs)} ms`;
    this.#options.logger.debug(
      `${operation}: ${method} ${url}: ${what} after ${Math.round(durationMs)} ms${next}`,
      isUnreachable
        ? { ...request, error: outcome.cause }
        : { ...request, status: outcome.status, requestId: outcome.requestId },
    );
  }
}

function parse(response: ApiResponse): unknown {
  try {
    return readJson(response.text);
  } catch (cause) {
    throw unexpected(response, 'something other than JSON', cause);
  }
}
