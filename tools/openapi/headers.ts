import type { HeaderNotes } from '../../src/platform/http/openapi/operation.decorator.js';

const always = (description: string) => ({ description, required: true });

const EVERYWHERE: HeaderNotes = {
  'X-Request-Id': always(
    'The id of the request: its own `X-Request-Id` if it was acceptable, else a new one.',
  ),
};

const ON_SUCCESS: HeaderNotes = {
  'Cache-Control': always('`private, no-cache`: ask again, with `If-None-Match`, before using it once more.'),
  Vary: always('What else of the request decides the answer.'),
};

/** Headers for keys with a rate (draft-ietf-httpapi-ratelimit-headers-10). */
const RATE: HeaderNotes = {
  RateLimit: {
    description: 'What is left of the rate of the key, and for how many seconds, where it has one.',
  },
  'RateLimit-Policy': { description: 'The rate of the key, where it has one: so many in so many seconds.' },
};
/** Statuses of responses that the service sends before it checks the rate. */
const NOT_COUNTED = [401, 403, 408, 414, 431];

const ENTITY_TAGS: Readonly<Record<string, HeaderNotes>> = {
  get: { ETag: always('The version of what was returned, for `If-None-Match`.') },
  patch: { ETag: always('The version that is there now, for `If-Match` and `If-None-Match`.') },
};

const STABILITY: HeaderNotes = {
  Stability: {
    description:
      'How far clients may rely on the operation where it is not stable: `experimental` or `beta`.',
  },
};
const DEPRECATION: HeaderNotes = {
  Deprecation: {
    description: 'Since when the operation is deprecated, if it is, in seconds since 1970 (RFC 9745).',
  },
  Sunset: { description: 'When the operation is removed, if it is deprecated (RFC 8594).' },
  Link: {
    description: 'To the pages of a list; from a deprecated operation to its successor and its explanation.',
  },
};
/**
 * Statuses whose responses are alike for all operations, so that operations share one description. Some are sent before the route
 * is known.
 */
const OF_ALL = [304, 400, 401, 403, 411, 413, 415, 422, 429, 500, 503];
/** Statuses whose responses are always sent before the route is known. */
const BEFORE_ROUTE = [408, 414, 431];

const RETRY = { 'Retry-After': always('Seconds to wait before the next try.') };
const CHALLENGE = {
  'WWW-Authenticate': always('How to authenticate, or what is missing (RFC 6750 section 3).'),
};

const ON_ERROR: Readonly<Record<number, HeaderNotes>> = {
  401: CHALLENGE,
  403: CHALLENGE,
  409: { 'Retry-After': { description: 'Seconds to wait, where waiting helps.' } },
  429: RETRY,
  503: RETRY,
};

/** The properties of an operation that determine the headers of its responses. */
interface Answering {
  /** In lower case. */
  readonly method: string;
  readonly needsKey: boolean;
  readonly isDeprecated: boolean;
  readonly isUnstable: boolean;
}

/** The headers of an operation's responses with this status. */
export function headersOf(operation: Answering, status: number, hasBody: boolean): HeaderNotes {
  const { method, needsKey } = operation;
  const hasTag = method === 'get' || hasBody;
  return {
    ...EVERYWHERE,
    ...(status < 400 ? { ...ON_SUCCESS, ...(hasTag && ENTITY_TAGS[method]) } : ON_ERROR[status]),
    ...(needsKey && !NOT_COUNTED.includes(status) && RATE),
    ...ofRoute(operation, status),
  };
}

function ofRoute({ isUnstable, isDeprecated }: Answering, status: number): HeaderNotes {
  if (BEFORE_ROUTE.includes(status)) return {};
  const isShared = OF_ALL.includes(status);
  return { ...((isShared || isUnstable) && STABILITY), ...((isShared || isDeprecated) && DEPRECATION) };
}

/** No header is nearly as long. */
const HEADER_TEXT = { type: 'string' as const, maxLength: 16_384 };

export const toHeaderObjects = (headers: HeaderNotes) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description, required }]) => [
      name,
      { description, ...(required && { required }), schema: HEADER_TEXT },
    ]),
  );
