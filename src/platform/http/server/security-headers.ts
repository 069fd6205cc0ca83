type Header = readonly [name: string, value: string];

/** The header that pages override. */
export const CONTENT_SECURITY_POLICY = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
] as const;

/** The headers of every answer: those of helmet that matter for an API, which browsers must never treat as a page. */
export const SECURITY_HEADERS: readonly Header[] = [
  CONTENT_SECURITY_POLICY,
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/** Headers in the format of HTTP/1.1. */
export const linesOf = (headers: readonly Header[]): string =>
  headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** Only for answers over TLS: RFC 6797 section 7.2 forbids it on others. */
const STRICT_TRANSPORT_SECURITY = [
  'Strict-Transport-Security',
  'max-age=31536000; includeSubDomains',
] as const;

/** Built once for all answers, without the header that pages override. A handler may still set or remove each. */
const FIXED = SECURITY_HEADERS.filter((header) => header !== CONTENT_SECURITY_POLICY);
export const SECURITY_HEADER_LINES = linesOf(FIXED);
export const SECURE_HEADER_LINES = SECURITY_HEADER_LINES + linesOf([STRICT_TRANSPORT_SECURITY]);
/** In lower case. */
export const FIXED_HEADERS: ReadonlySet<string> = new Set(
  [...FIXED, STRICT_TRANSPORT_SECURITY].map(([name]) => name.toLowerCase()),
);
