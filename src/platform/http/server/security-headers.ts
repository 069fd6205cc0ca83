type Header = readonly [name: string, value: string];

/** The headers of every answer: those of helmet that matter for an API, which browsers must never treat as a page. */
export const SECURITY_HEADERS: readonly Header[] = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
];

/** Only for answers over TLS: RFC 6797 section 7.2 forbids it on others. */
export const STRICT_TRANSPORT_SECURITY = [
  'Strict-Transport-Security',
  'max-age=31536000; includeSubDomains',
] as const;
