/** The headers of our answers that a page of another origin may read. */
const EXPOSED = [
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
];

/** The headers that such a page may send. */
const ACCEPTED = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Request-Id',
];

/** How the pages of these origins may use the service (the Fetch standard, section 3.2). */
export function corsOptions(origins: readonly string[]) {
  return {
    origin: origins.includes('*') ? '*' : [...origins],
    allowedHeaders: ACCEPTED,
    exposedHeaders: EXPOSED,
    maxAge: 600,
    // Preflights are answered like every other OPTIONS, with `Allow`.
    preflightContinue: true,
  };
}
