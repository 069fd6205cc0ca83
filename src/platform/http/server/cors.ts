import cors from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderNames } from '../openapi/documented-headers.js';

/** What the service itself reads and sends on all routes. */
const OF_ALL_ROUTES: HeaderNames = {
  request: (
    'Accept,Authorization,Content-Type,Idempotency-Key,If-Match,If-None-Match,X-Request-Id,traceparent,' +
    'tracestate'
  ).split(','),
  response: (
    'Allow,Deprecation,ETag,Idempotency-Replayed,Link,Location,RateLimit,RateLimit-Policy,Retry-After,Stability,Sunset,' +
    'Vary,WWW-Authenticate,X-Request-Id,traceparent'
  ).split(','),
};

/** A method as Fetch sends it in `Access-Control-Request-Method` (RFC 9110 section 5.6.2, a token). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether a browser asks if a page of another origin may send a request (Fetch, CORS-preflight request). */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  TOKEN.test(headers['access-control-request-method'] ?? '');

/**
 * Adds the CORS headers by the middleware of the package `cors`, which comes before everything that can refuse a request, so that pages
 * can read every error with a response object.
 */
export class Cors {
  readonly #addHeaders: ReturnType<typeof cors<IncomingMessage>>;
  #names: HeaderNames = OF_ALL_ROUTES;

  /** `methodsOf` has the methods of the address of an OPTIONS request. */
  constructor(origins: readonly string[], methodsOf: (request: IncomingMessage) => readonly string[]) {
    this.#addHeaders = cors<IncomingMessage>((request, done) => {
      const asked = isPreflight(request) ? [request.headers['access-control-request-method']!] : [];
      const methods = request.method === 'OPTIONS' ? methodsOf(request) : [];
      done(null, {
        origin: origins.includes('*') ? '*' : [...origins],
        methods: [...new Set([...methods, ...asked])].join(', '),
        allowedHeaders: [...this.#names.request],
        exposedHeaders: [...this.#names.response],
        maxAge: 600,
        preflightContinue: true,
      });
    });
  }

  /** Allows the headers that routes document, besides those of all routes. */
  allow({ request, response }: HeaderNames): void {
    this.#names = {
      request: withOthers(OF_ALL_ROUTES.request, request),
      response: withOthers(OF_ALL_ROUTES.response, response),
    };
  }

  addHeaders(request: IncomingMessage, response: ServerResponse): void {
    this.#addHeaders(request, response, () => {});
  }
}

/** Adds names that are not there yet, in any case (RFC 9110 section 5.1), in alphabetical order. */
function withOthers(known: readonly string[], others: readonly string[]): readonly string[] {
  const added = new Map(others.toSorted().map((name) => [name.toLowerCase(), name]));
  for (const name of known) added.delete(name.toLowerCase());
  return [...known, ...added.values()];
}
