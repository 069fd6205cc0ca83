/** An answer that has come as a whole. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body, as it came. */
  readonly text: string;
  /** The address that was asked. */
  readonly url: URL;
  /** `X-Request-Id`: what the service's operator finds the request by. */
  readonly requestId: string | undefined;
}

/** What a call brought, and the answer that brought it. */
export interface WithResponse<T> {
  readonly data: T;
  readonly response: ApiResponse;
}

/** What a call will bring: awaited it is the data alone, `withResponse()` gives the answer too. */
export interface ApiPromise<T> extends Promise<T> {
  withResponse(): Promise<WithResponse<T>>;
}

export function toApiPromise<T>(result: Promise<WithResponse<T>>): ApiPromise<T> {
  const data = result.then((brought) => brought.data);
  const withResponse = () => {
    data.catch(() => undefined); // nobody awaits it now, and whoever awaits the result hears of the error
    return result;
  };
  return Object.assign(data, { withResponse });
}

/**
 * How many seconds `Retry-After` asks to wait (RFC 9110 section 10.2.3): it says so, or names a date.
 * Undefined without the header, or if it cannot be read.
 */
export function retryAfterOf({ headers }: ApiResponse, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
