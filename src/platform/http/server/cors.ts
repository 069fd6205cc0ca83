import cors, { type CorsOptions } from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderNames } from '../routes/route-parameters.js';

/** The headers that the service itself reads and sends on all routes. */
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

/** Whether a request asks if a page of another origin may send a request (Fetch, CORS-preflight request). */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  TOKEN.test(headers['access-control-request-method'] ?? '');

/**
 * Adds the CORS headers with the middleware of the package `cors`. This comes before everything that can reject a request, so that
 * pages can read every error that is written to a response object.
 */
export class Cors {
  readonly #addHeaders: ReturnType<typeof cors<IncomingMessage>>;
  #names: HeaderNames = OF_ALL_ROUTES;

  /** `methodsOf` finds the methods of the path of an OPTIONS request. */
  constructor(
    origins: readonly string[],
    methodsOf: (request: IncomingMessage) => Promise<readonly string[]>,
  ) {
    const optionsFor = (methods: readonly string[]): CorsOptions => ({
      origin: origins.includes('*') ? '*' : [...origins],
      methods: [...new Set(methods)].join(', '),
      allowedHeaders: [...this.#names.request],
      exposedHeaders: [...this.#names.response],
      maxAge: 600,
      preflightContinue: true,
    });
    this.#addHeaders = cors<IncomingMessage>((request, done) => {
      if (request.method !== 'OPTIONS') {
        done(null, optionsFor([]));
        return;
      }
      const asked = isPreflight(request) ? [request.headers['access-control-request-method']!] : [];
      void methodsOf(request).then((methods) => done(null, optionsFor([...methods, ...asked])));
    });
  }

  /** Allows the headers that routes document, in addition to the headers of all routes. */
  allow({ request, response }: HeaderNames): void {
    this.#names = {
      request: withOthers(OF_ALL_ROUTES.request, request),
      response: withOthers(OF_ALL_ROUTES.response, response),
    };
  }

  /** Calls `next` when the response has the headers, which is at once except for OPTIONS. */
  addHeaders(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    this.#addHeaders(request, response, next);
  }
}

/** Adds missing names in alphabetical order. Case does not matter (RFC 9110 section 5.1). */
function withOthers(known: readonly string[], others: readonly string[]): readonly string[] {
  const added = new Map(others.toSorted().map((name) => [name.toLowerCase(), name]));
  for (const name of known) added.delete(name.toLowerCase());
  return [...known, ...added.values()];
}
