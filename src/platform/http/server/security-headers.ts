type Header = readonly [name: string, value: string];

/** The one that a page replaces with its own. */
export const CONTENT_SECURITY_POLICY = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
] as const;

/** The headers of every answer: those of helmet that matter for an API that browsers must never take for a page. */
export const SECURITY_HEADERS: readonly Header[] = [
  CONTENT_SECURITY_POLICY,
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/** Headers as they stand on the wire. */
export const linesOf = (headers: readonly Header[]): string =>
  headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** Only for what travels over TLS: RFC 6797 section 7.2 forbids it on other answers. */
const STRICT_TRANSPORT_SECURITY = [
  'Strict-Transport-Security',
  'max-age=31536000; includeSubDomains',
] as const;

/** Written once for all answers: all but the one that pages replace. A handler may still set or remove each. */
const FIXED = SECURITY_HEADERS.filter((header) => header !== CONTENT_SECURITY_POLICY);
export const SECURITY_HEADER_LINES = linesOf(FIXED);
export const SECURE_HEADER_LINES = SECURITY_HEADER_LINES + linesOf([STRICT_TRANSPORT_SECURITY]);
/** In lower case. */
export const FIXED_HEADERS: ReadonlySet<string> = new Set(
  [...FIXED, STRICT_TRANSPORT_SECURITY].map(([name]) => name.toLowerCase()),
);
