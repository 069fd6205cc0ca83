/** Headers by name, each with what it means; `required` ones stand on every such answer. */
export type HeaderNotes = Readonly<
  Record<string, { readonly description: string; readonly required?: boolean }>
>;

const always = (description: string) => ({ description, required: true });

/** What stands on every answer. */
export const EVERYWHERE: HeaderNotes = {
  'X-Request-Id': always(
    'The id of the request: its own `X-Request-Id` if it was acceptable, else a new one.',
  ),
};

/** What stands on answers that are not errors. */
export const ON_SUCCESS: HeaderNotes = {
  'Cache-Control': always('`private, no-cache`: ask again, with `If-None-Match`, before using it once more.'),
  Vary: always('What else of the request decides the answer.'),
};

/** Where a key has a rate (draft-ietf-httpapi-ratelimit-headers-10). */
export const RATE: HeaderNotes = {
  RateLimit: {
    description: 'What is left of the rate of the key, and for how many seconds, where it has one.',
  },
  'RateLimit-Policy': { description: 'The rate of the key, where it has one: so many in so many seconds.' },
};

export const ENTITY_TAG: HeaderNotes = {
  ETag: always('The version of what was returned, for `If-None-Match`.'),
};

export const ENTITY_TAG_NOW: HeaderNotes = {
  ETag: always('The version that is there now, for `If-Match` and `If-None-Match`.'),
};

const RETRY = { 'Retry-After': always('Seconds to wait before the next try.') };
const CHALLENGE = {
  'WWW-Authenticate': always('How to authenticate, or what is missing (RFC 6750 section 3).'),
};

/** What stands on errors of one status. */
export const ON_ERROR: Readonly<Record<number, HeaderNotes>> = {
  401: CHALLENGE,
  403: CHALLENGE,
  409: { 'Retry-After': { description: 'Seconds to wait, where waiting helps.' } },
  429: { ...RETRY, ...RATE },
  503: RETRY,
};

/** As OpenAPI writes them. */
export function toHeaderObjects(headers: HeaderNotes) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, { description, required = false }]) => [
      name,
      { description, required, schema: { type: 'string' as const } },
    ]),
  );
}
