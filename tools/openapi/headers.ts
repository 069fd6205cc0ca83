import type { HeaderNotes } from '../../src/platform/http/routes/route.decorators.js';

const always = (description: string) => ({ description, required: true });

const EVERYWHERE: HeaderNotes = {
  'X-Request-Id': always(
    'The id of the request: the `X-Request-Id` of the request if it was valid, otherwise a new UUID.',
  ),
};

const ON_SUCCESS: HeaderNotes = {
  'Cache-Control': always(
    '`private, no-cache`: you may store the response, but ask with `If-None-Match` before you use it again.',
  ),
  Vary: always('The headers of the request on which the response depends.'),
};

/** Headers for keys with a rate (draft-ietf-httpapi-ratelimit-headers-10). */
const RATE: HeaderNotes = {
  RateLimit: {
    description:
      'How many requests the rate limit of the key still allows, and for how many seconds. Sent if the key has a rate limit.',
  },
  'RateLimit-Policy': {
    description:
      'The rate limit of the key: a number of requests in a number of seconds. Sent if the key has a rate limit.',
  },
};
/** Statuses of responses that the service sends before it checks the rate. */
const NOT_COUNTED = [401, 403, 408, 414, 431];

const ENTITY_TAGS: Readonly<Record<string, HeaderNotes>> = {
  get: { ETag: always('The tag of the response, to send in `If-None-Match`.') },
  patch: { ETag: always('The tag of the changed resource, to send in `If-Match` or `If-None-Match`.') },
};
const TAG_OF_FILE: HeaderNotes = {
  ETag: {
    description:
      'The tag of the content, to send in `If-None-Match`. Sent if the service has the whole content before it responds.',
  },
};

const STABILITY: HeaderNotes = {
  Stability: {
    description: '`experimental` or `beta`. Sent if the operation is not stable.',
  },
};
const DEPRECATION: HeaderNotes = {
  Deprecation: {
    description:
      'The time since which the operation is deprecated, in seconds since 1970 (RFC 9745). Sent if it is deprecated.',
  },
  Sunset: {
    description: 'The time at which the operation will be removed (RFC 8594). Sent if it is deprecated.',
  },
  Link: {
    description:
      'The URLs of other pages of a list. For a deprecated operation, the URLs of its successor and of its explanation.',
  },
};
/**
 * Statuses whose responses are alike for all operations, so that operations share one description. Some are sent before the route
 * is known.
 */
const OF_ALL = [304, 400, 401, 403, 411, 413, 415, 422, 429, 500, 503];
/** Statuses whose responses are always sent before the route is known. */
const BEFORE_ROUTE = [408, 414, 431];

const RETRY = { 'Retry-After': always('The seconds to wait before the next try.') };
const CHALLENGE = {
  'WWW-Authenticate': always('How to authenticate, or which scope is missing (RFC 6750 section 3).'),
};

const ON_ERROR: Readonly<Record<number, HeaderNotes>> = {
  401: CHALLENGE,
  403: CHALLENGE,
  409: { 'Retry-After': { description: 'The seconds to wait. Sent if waiting helps.' } },
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

/** The headers of an operation's responses with this status. `mediaTypes` are the types of their body. */
export function headersOf(
  operation: Answering,
  status: number,
  mediaTypes: readonly string[] | undefined,
): HeaderNotes {
  const { method, needsKey } = operation;
  return {
    ...EVERYWHERE,
    ...(status < 400 ? { ...ON_SUCCESS, ...tagOf(method, mediaTypes) } : ON_ERROR[status]),
    ...(needsKey && !NOT_COUNTED.includes(status) && RATE),
    ...ofRoute(operation, status),
  };
}

function tagOf(method: string, mediaTypes: readonly string[] | undefined): HeaderNotes | undefined {
  if (method === 'get' && mediaTypes && !mediaTypes.includes('application/json')) return TAG_OF_FILE;
  return method === 'get' || mediaTypes ? ENTITY_TAGS[method] : undefined;
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
