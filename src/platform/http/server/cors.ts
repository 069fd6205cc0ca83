import type { LeanResponse } from './lean-response.js';

/** The headers of our answers that a page of another origin may read. */
const EXPOSED = [
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
  'traceparent',
].join();

/** The headers that such a page may send. */
const ACCEPTED = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Request-Id',
  'traceparent',
  'tracestate',
].join();

/**
 * Lets pages of these origins use the service (the Fetch standard, section 3.2). It comes before all that may refuse a
 * request, so that such a page can read every refusal that has a response object.
 */
export class Cors {
  readonly #all: boolean;

  constructor(private readonly origins: readonly string[]) {
    this.#all = origins.includes('*');
  }

  addTo(response: LeanResponse): void {
    const { method, headers } = response.req;
    const { origin } = headers;
    // Also without an origin: what a cache keeps may be asked for by a page next.
    if (!this.#all) response.setHeader('Vary', 'Origin');
    if (!this.#all && (origin === undefined || !this.origins.includes(origin))) return;
    response.setHeader('Access-Control-Allow-Origin', this.#all ? '*' : origin!);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    if (method !== 'OPTIONS') return;
    // Preflights are answered like every other OPTIONS, with `Allow`.
    response.setHeader('Access-Control-Allow-Methods', 'GET,HEAD,POST,PATCH');
    response.setHeader('Access-Control-Allow-Headers', ACCEPTED);
    response.setHeader('Access-Control-Max-Age', '600');
  }
}
