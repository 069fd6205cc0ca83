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
      'Fields of the body are not valid. Correct the fields that `details` names. It names at most 50 problems.',
    invalid_json:
      'The body is not valid JSON, or exceeds a limit, such as the depth of nesting. Send one JSON object in UTF-8, in which no name occurs twice.',
    invalid_parameter:
      'A query parameter is not valid, or the request is not valid HTTP. Correct the parameters that `details` names. If there are no `details`, correct the request line and the headers.',
    unknown_parameter:
      'The query has a parameter that the operation does not accept. Remove the parameter, or correct its name.',
    invalid_cursor:
      'The cursor does not belong to this list and filter. Begin at the first page, and follow the URLs in `Link` unchanged.',
    invalid_idempotency_key:
      'The `Idempotency-Key` is malformed. Send the header once, with 1 to 255 visible ASCII characters, such as a UUID.',
    bad_request: 'The request is not valid. Correct what the message names.',
  },
  401: {
    unauthorized:
      'The operation does not accept an API key, but requires another credential. Send the credential that the message names.',
    invalid_api_key:
      'The API key is unknown, expired or revoked. Check the key, or ask the operator for a new one.',
    missing_api_key: 'The request has no API key. Send `Authorization: Bearer <API key>`.',
  },
  403: {
    forbidden: 'The caller may not use this operation. Ask the operator who may use it.',
    insufficient_scope:
      'The scopes of the API key do not allow this operation. Use a key with the scope in `WWW-Authenticate`, or a key without restriction.',
  },
  404: {
    not_found: 'The resource does not exist. Check the ids in the request.',
    route_not_found:
      'No resource has this URL. Check the path, which is case-sensitive and has no slash at its end.',
  },
  405: { method_not_allowed: 'The URL does not support this method. Use a method that `Allow` names.' },
  406: {
    not_acceptable: 'The response has no media type that the client accepts. Accept another media type.',
  },
  408: { request_timeout: 'The request took too long to arrive. Send it again on a better connection.' },
  409: {
    conflict:
      'The request conflicts with the current state. Get the resource again, and send a request that fits its current state.',
    idempotency_in_progress:
      'A request with the same `Idempotency-Key` is still being executed. Send the request again after the time in `Retry-After`.',
  },
  410: {
    gone: 'The resource existed and was removed. Do not request it again.',
    operation_removed: 'The operation has been removed. Use its successor, which `Link` names.',
  },
  411: { length_required: 'The upload has no `Content-Length`. Send this header.' },
  412: {
    precondition_failed:
      'A condition of the request is not met, such as `If-Match`. Get the resource again before you change it.',
  },
  413: { payload_too_large: 'The body is too large. Send a smaller body.' },
  414: { uri_too_long: 'The URL is too long. Shorten its query.' },
  415: {
    unsupported_media_type:
      'The body is not JSON, or has an unknown encoding. Send `application/json`, uncompressed or with gzip.',
  },
  422: {
    unprocessable_entity:
      'The request is well-formed, but cannot be executed. Correct what the message names.',
    idempotency_key_reused:
      'The `Idempotency-Key` was used for another request. Choose a new key for each new request.',
  },
  429: {
    too_many_requests:
      'A proxy in front of the service limits the requests of this client. Try again after the time in `Retry-After`.',
    rate_limited: 'The API key has reached its rate limit. Try again after the time in `Retry-After`.',
  },
  431: { headers_too_large: 'The headers are too large. Send fewer headers, or shorter ones.' },
  500: {
    internal_error:
      'An error occurred inside the service. Try again later, and send a POST only with an `Idempotency-Key`. Report the `X-Request-Id` to the operator.',
  },
  503: {
    service_unavailable:
      'The operation is not available at the moment. Try again after the time in `Retry-After`.',
    overloaded:
      'The service is at its limit of concurrent requests, or of bytes of request bodies. Try again after the time in `Retry-After`.',
    shutting_down:
      'This process of the service is about to stop. Try again after the time in `Retry-After`, so that another process can respond, and send a POST only with an `Idempotency-Key`.',
    database_read_only:
      'The database accepts no writes at the moment, but reads still work. Try again after the time in `Retry-After`, and send a POST only with an `Idempotency-Key`.',
    database_unavailable:
      'The database cannot be reached at the moment. Try again after the time in `Retry-After`, and send a POST only with an `Idempotency-Key`.',
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
  shutting_down: 'safely only',
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
