import cors from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The headers of our answers that a page of another origin may read. */
const EXPOSED_HEADERS =
  'Allow,Deprecation,ETag,Idempotency-Replayed,Link,Location,RateLimit,RateLimit-Policy,Retry-After,Sunset,' +
  'WWW-Authenticate,X-Request-Id,traceparent';

/** The headers that such a page may send. */
const ALLOWED_HEADERS =
  'Accept,Authorization,Content-Type,Idempotency-Key,If-Match,If-None-Match,X-Request-Id,traceparent,tracestate';

/**
 * The middleware of the package `cors` for pages of these origins, to be called before all that may reject a request, so
 * that such a page can read every error that has a response object. Preflights are answered like every other OPTIONS.
 * `methods` is asked for each preflight, because routes are added later.
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
