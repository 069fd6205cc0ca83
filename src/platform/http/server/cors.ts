import cors from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The response headers that pages of other origins may read. */
const EXPOSED_HEADERS =
  'Allow,Deprecation,ETag,Idempotency-Replayed,Link,Location,RateLimit,RateLimit-Policy,Retry-After,Stability,Sunset,' +
  'Vary,WWW-Authenticate,X-Request-Id,traceparent';

/** The request headers that such pages may send. */
const ALLOWED_HEADERS =
  'Accept,Authorization,Content-Type,Idempotency-Key,If-Match,If-None-Match,X-Request-Id,traceparent,tracestate';

/**
 * The middleware of the package `cors`, which comes before everything that can refuse a request, so that pages can read every error
 * with a response object. A preflight is answered like any other OPTIONS request; `methods` is called for each.
 */
export function corsHeaders(origins: readonly string[], methods: () => readonly string[]) {
  const addHeaders = cors((_request, done) =>
    done(null, {
      origin: origins.includes('*') ? '*' : [...origins],
      methods: [...methods()],
      allowedHeaders: ALLOWED_HEADERS,
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: 600,
      preflightContinue: true,
    }),
  );
  return (request: IncomingMessage, response: ServerResponse) => addHeaders(request, response, () => {});
}
