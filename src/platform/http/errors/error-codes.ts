import type { DomainErrorClass, ErrorKind } from '../../../kernel/domain-error.js';

/** The HTTP status of each kind of domain error (RFC 9110 section 15). */
export const STATUS_OF_KIND: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  unavailable: 503,
};

export interface ErrorEntry extends Pick<DomainErrorClass, 'meaning' | 'remedy' | 'again'> {
  readonly status: number;
}

/** What a module declares to clients: the class of a `DomainError`, or a description, such as of an `HttpException` with a code. */
export type DescribedError = DomainErrorClass | (ErrorEntry & { readonly code: string });

/**
 * The codes of the platform, by status; the errors of modules describe themselves. The first sentence is what is wrong, the others are what
 * to do; together they are the message of an error without words of its own.
 */
const ERRORS = {
  400: {
    validation_failed:
      'Fields of the body break the rules. Correct what `details` names; it names up to 50 problems.',
    invalid_json: 'The body is not acceptable JSON. Send one JSON object, in UTF-8, no name twice.',
    invalid_parameter:
      'A query parameter, or the request as a whole, is malformed. Correct what `details` names; without it, the request line and the headers.',
    unknown_parameter:
      'The query has a parameter that the operation does not know. Leave it out, or correct its name.',
    invalid_cursor:
      'The cursor does not belong to this list and filter. Begin at the first page; follow `Link` unchanged.',
    invalid_idempotency_key:
      'The `Idempotency-Key` is malformed. Send 1 to 255 visible ASCII characters, once; a UUID will do.',
    bad_request: 'The request is wrong, as the message says. Correct what the message names.',
  },
  401: {
    unauthorized: 'The operation requires another credential. Send what the message asks for.',
    invalid_api_key: 'The API key is unknown, expired or revoked. Check it, or ask the operator for another.',
    missing_api_key: 'The request has no API key. Send `Authorization: Bearer <API key>`.',
  },
  403: {
    forbidden: 'The operation is not for this caller. See what the message says.',
    insufficient_scope:
      'The API key is restricted and may not do this. Use a key with the scope in `WWW-Authenticate`, or one without restriction.',
  },
  404: {
    not_found: 'What the request names does not exist. Check the ids in the request.',
    route_not_found:
      'Nothing is at this address. Check the path; it is case-sensitive and has no slash at its end.',
  },
  405: { method_not_allowed: 'The address does not support this method. Use one that `Allow` names.' },
  406: { not_acceptable: 'The answer has no media type that the client accepts. Accept another media type.' },
  408: { request_timeout: 'The request took too long to arrive. Send it again, on a better connection.' },
  409: {
    conflict:
      'The request conflicts with the present state. Get the present state, and decide again; the same request fails again.',
    idempotency_in_progress:
      'A request with the same `Idempotency-Key` is still being answered. Send it again as `Retry-After` says.',
  },
  410: {
    gone: 'What the request names existed and was removed. Do not ask for it again.',
    operation_removed: 'The operation has been removed. Use its successor, which `Link` names.',
  },
  411: { length_required: 'The upload does not say how long it is. Send its `Content-Length`.' },
  412: {
    precondition_failed:
      'A condition that the request makes is not met. Get the present version, and decide again.',
  },
  413: { payload_too_large: 'The body is too large. Send less.' },
  414: { uri_too_long: 'The address is too long. Shorten its query.' },
  415: {
    unsupported_media_type:
      'The body is not JSON, or is encoded in an unknown way. Send `application/json`, plain or gzip.',
  },
  422: {
    unprocessable_entity: 'The request is well-formed, but cannot be done. Correct what the message names.',
    idempotency_key_reused:
      'The `Idempotency-Key` was used for another request. Make a new key for each thing you want done.',
  },
  429: {
    too_many_requests: 'Too many requests come. Wait as `Retry-After` says.',
    rate_limited: 'The API key has used up its rate. Wait as `Retry-After` says.',
  },
  431: { headers_too_large: 'The headers are too large. Send fewer or shorter ones.' },
  500: {
    internal_error:
      'An error occurred inside the service. Try again later, a POST with an `Idempotency-Key`; tell the operator the `X-Request-Id`.',
  },
  503: {
    service_unavailable: 'The operation cannot be done at the moment. Try again as `Retry-After` says.',
    overloaded:
      'The service is at its limit of concurrent requests, or of bytes of request bodies. Try again as `Retry-After` says.',
    shutting_down:
      'This process of the service is about to stop. Send requests elsewhere, or again as `Retry-After` says.',
    database_read_only:
      'The database accepts no writes at the moment; reads still work. Try again as `Retry-After` says, a POST with an `Idempotency-Key`.',
    database_unavailable:
      'The database cannot be reached at the moment. Try again as `Retry-After` says, a POST with an `Idempotency-Key`.',
  },
};

type Rows = typeof ERRORS;
export type PlatformCode = { [Status in keyof Rows]: keyof Rows[Status] }[keyof Rows];

/** What may succeed if it is sent again; `safely only`: a GET, or with an `Idempotency-Key`. */
const AGAIN: Partial<Record<PlatformCode, ErrorEntry['again']>> = {
  request_timeout: 'yes',
  idempotency_in_progress: 'yes',
  too_many_requests: 'yes',
  rate_limited: 'yes',
  internal_error: 'safely only',
  service_unavailable: 'yes',
  overloaded: 'yes',
  shutting_down: 'yes',
  database_read_only: 'safely only',
  database_unavailable: 'safely only',
};

function entryOf(status: number, code: PlatformCode, text: string): ErrorEntry {
  const [meaning, remedy] = text.split(/(?<=\.) (.*)/);
  const again = AGAIN[code];
  return { status, meaning: meaning!, remedy: remedy!, ...(again && { again }) };
}

export const PLATFORM_ERRORS: ReadonlyMap<string, ErrorEntry> = new Map(
  Object.entries(ERRORS).flatMap(([status, rows]) =>
    Object.entries(rows).map(([code, text]) => [code, entryOf(Number(status), code as PlatformCode, text)]),
  ),
);
