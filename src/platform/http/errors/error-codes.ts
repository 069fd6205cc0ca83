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

const error = (status: number, meaning: string, remedy: string, again?: ErrorEntry['again']): ErrorEntry => ({
  status,
  meaning,
  remedy,
  ...(again && { again }),
});

const WAIT = 'Wait as `Retry-After` says.';
const RETRY = 'Try again as `Retry-After` says.';
const RETRY_WITH_KEY = 'Try again as `Retry-After` says, a POST with an `Idempotency-Key`.';

/** The codes of the platform, by status. The errors of modules describe themselves. */
const ERRORS = {
  validation_failed: error(
    400,
    'Fields of the body break the rules.',
    'Correct what `details` names; it names up to 50 problems.',
  ),
  invalid_json: error(
    400,
    'The body is not acceptable JSON.',
    'Send one JSON object, in UTF-8, no name twice.',
  ),
  invalid_parameter: error(
    400,
    'A query parameter, or the request as a whole, is malformed.',
    'Correct what `details` names; without it, the request line and the headers.',
  ),
  unknown_parameter: error(
    400,
    'The query has a parameter that the operation does not know.',
    'Leave it out, or correct its name.',
  ),
  invalid_cursor: error(
    400,
    'The cursor does not belong to this list and filter.',
    'Begin at the first page; follow `Link` unchanged.',
  ),
  invalid_idempotency_key: error(
    400,
    'The `Idempotency-Key` is malformed.',
    'Send 1 to 255 visible ASCII characters, once; a UUID will do.',
  ),
  bad_request: error(400, 'The request is wrong, as the message says.', 'Correct what the message names.'),
  unauthorized: error(401, 'The operation requires another credential.', 'Send what the message asks for.'),
  invalid_api_key: error(
    401,
    'The API key is unknown, expired or revoked.',
    'Check it, or ask the operator for another.',
  ),
  missing_api_key: error(401, 'The request has no API key.', 'Send `Authorization: Bearer <API key>`.'),
  forbidden: error(403, 'The operation is not for this caller.', 'See what the message says.'),
  insufficient_scope: error(
    403,
    'The API key is restricted and may not do this.',
    'Use a key with the scope in `WWW-Authenticate`.',
  ),
  not_found: error(404, 'What the request names does not exist.', 'Check the ids in the request.'),
  route_not_found: error(
    404,
    'Nothing is at this address.',
    'Check the path; it is case-sensitive and has no slash at its end.',
  ),
  method_not_allowed: error(405, 'The address does not support this method.', 'Use one that `Allow` names.'),
  not_acceptable: error(
    406,
    'The answer has no media type that the client accepts.',
    'Accept another media type.',
  ),
  request_timeout: error(
    408,
    'The request took too long to arrive.',
    'Send it again, on a better connection.',
    'yes',
  ),
  conflict: error(
    409,
    'The request conflicts with the present state.',
    'Get the present state, and decide again; the same request fails again.',
  ),
  idempotency_in_progress: error(
    409,
    'A request with the same `Idempotency-Key` is still being answered.',
    'Send it again as `Retry-After` says.',
    'yes',
  ),
  gone: error(410, 'What the request names existed and was removed.', 'Do not ask for it again.'),
  operation_removed: error(410, 'The operation has been removed.', 'Use its successor, which `Link` names.'),
  precondition_failed: error(
    412,
    'A condition that the request makes is not met.',
    'Get the present version, and decide again.',
  ),
  payload_too_large: error(413, 'The body is too large.', 'Send less.'),
  uri_too_long: error(414, 'The address is too long.', 'Shorten its query.'),
  unsupported_media_type: error(
    415,
    'The body is not JSON, or is encoded in an unknown way.',
    'Send `application/json`, plain or gzip.',
  ),
  unprocessable_entity: error(
    422,
    'The request is well-formed, but cannot be done.',
    'Correct what the message names.',
  ),
  idempotency_key_reused: error(
    422,
    'The `Idempotency-Key` was used with another body.',
    'Make a new key for each thing you want done.',
  ),
  too_many_requests: error(429, 'Too many requests come.', WAIT, 'yes'),
  rate_limited: error(429, 'The API key has used up its rate.', WAIT, 'yes'),
  headers_too_large: error(431, 'The headers are too large.', 'Send fewer or shorter ones.'),
  internal_error: error(
    500,
    'An error occurred inside the service.',
    'Try again later, a POST with an `Idempotency-Key`; tell the operator the `X-Request-Id`.',
    'safely only',
  ),
  service_unavailable: error(503, 'The operation cannot be done at the moment.', RETRY, 'yes'),
  overloaded: error(503, 'The service is at its limit of concurrent requests.', RETRY, 'yes'),
  shutting_down: error(
    503,
    'This process of the service is about to stop.',
    'Send requests elsewhere, or again as `Retry-After` says.',
    'yes',
  ),
  database_read_only: error(
    503,
    'The database accepts no writes at the moment; reads still work.',
    RETRY_WITH_KEY,
    'safely only',
  ),
  database_unavailable: error(
    503,
    'The database cannot be reached at the moment.',
    RETRY_WITH_KEY,
    'safely only',
  ),
};

export type PlatformCode = keyof typeof ERRORS;

export const PLATFORM_ERRORS: ReadonlyMap<string, ErrorEntry> = new Map(Object.entries(ERRORS));

export const statusOf = (code: PlatformCode): number => ERRORS[code].status;
