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
];

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
];

/** How the pages of these origins may use the service (the Fetch standard, section 3.2). */
export function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH'],
    allowedHeaders: ACCEPTED,
    exposedHeaders: EXPOSED,
    maxAge: 600,
    // Preflights are answered like every other OPTIONS, with `Allow`.
    preflightContinue: true,
  };
}
