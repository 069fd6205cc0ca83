import type { Response } from 'express';
import type { Rate } from '../../kernel/rate.js';

/** Where a client stands in the current window of its rate. */
interface Standing {
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetIn: number;
}

/** Seconds, rounded up: a client that waits so long has waited long enough. */
export const secondsUntil = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1_000));

/** `RateLimit-Policy` and `RateLimit` of draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4. The one place that does. */
export function setRateLimitHeaders(
  response: Response,
  { limit, seconds }: Rate,
  { remaining, resetIn }: Standing,
): void {
  response.setHeader('RateLimit-Policy', `"key";q=${limit};w=${seconds}`);
  response.setHeader('RateLimit', `"key";r=${Math.max(0, remaining)};t=${secondsUntil(resetIn)}`);
}
