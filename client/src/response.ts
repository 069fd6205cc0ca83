/** A response, with its whole body. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body, unchanged. */
  readonly text: string;
  /** The URL of the request. */
  readonly url: URL;
  /** `X-Request-Id`, by which the service's operator finds the request. */
  readonly requestId: string | undefined;
  /** The `Idempotency-Key` of the request; undefined if it had none. */
  readonly idempotencyKey?: string | undefined;
}

/** The data of a call, and its response. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ApiResponse;
}

/** The promise of a call. It resolves to the data alone, and `withResponse()` to the data and the response. */
export interface ApiPromise<T> extends Promise<T> {
  withResponse(): Promise<WithResponse<T>>;
}

export function toApiPromise<T>(result: Promise<WithResponse<T>>): ApiPromise<T> {
  const data = result.then((brought) => brought.data);
  const withResponse = () => {
    data.catch(() => undefined); // nobody awaits `data` now, and `result` rejects with the same error
    return result;
  };
  return Object.assign(data, { withResponse });
}

/**
 * The number of seconds to wait, as `Retry-After` says (RFC 9110 section 10.2.3): it is a number of seconds, or a date. Undefined
 * if the header is absent or cannot be read.
 */
export function retryAfterOf({ headers }: ApiResponse, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
