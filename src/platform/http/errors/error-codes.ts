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

/** An error that a module declares to clients: the class of a `DomainError`, or a description, for example of an `HttpException`. */
export type DescribedError = DomainErrorClass | (ErrorEntry & { readonly code: string });

/**
 * The codes of the platform. The errors of modules describe themselves. An error that has no message of its own has the meaning and
 * the remedy of its code as the message. `again: 'safely only'` means a GET, or a request with an `Idempotency-Key`.
 */
const ROWS = [
  {
    status: 400,
    code: 'validation_failed',
    meaning: 'Fields of the body are not valid.',
    remedy: 'Correct the fields that `details` names. It names at most 50 problems.',
  },
  {
    status: 400,
    code: 'invalid_json',
    meaning: 'The body is not valid JSON, or exceeds a limit, such as the depth of nesting.',
    remedy: 'Send one JSON object in UTF-8, in which no name occurs twice.',
  },
  {
    status: 400,
    code: 'invalid_parameter',
    meaning: 'A query parameter is not valid, or the request is not valid HTTP.',
    remedy:
      'Correct the parameters that `details` names. If there are no `details`, correct the request line and the headers.',
  },
  {
    status: 400,
    code: 'unknown_parameter',
    meaning: 'The query has a parameter that the operation does not accept.',
    remedy: 'Remove the parameter, or correct its name.',
  },
  {
    status: 400,
    code: 'invalid_cursor',
    meaning: 'The cursor does not belong to this list and filter.',
    remedy: 'Begin at the first page, and follow the URLs in `Link` unchanged.',
  },
  {
    status: 400,
    code: 'invalid_idempotency_key',
    meaning: 'The `Idempotency-Key` is malformed.',
    remedy: 'Send the header once, with 1 to 255 visible ASCII characters, such as a UUID.',
  },
  {
    status: 400,
    code: 'bad_request',
    meaning: 'The request is not valid.',
    remedy: 'Correct what the message names.',
  },
  {
    status: 401,
    code: 'unauthorized',
    meaning: 'The operation does not accept an API key, but requires another credential.',
    remedy: 'Send the credential that the message names.',
  },
  {
    status: 401,
    code: 'invalid_api_key',
    meaning: 'The API key is unknown, expired or revoked.',
    remedy: 'Check the key, or ask the operator for a new one.',
  },
  {
    status: 401,
    code: 'missing_api_key',
    meaning: 'The request has no API key.',
    remedy: 'Send `Authorization: Bearer <API key>`.',
  },
  {
    status: 403,
    code: 'forbidden',
    meaning: 'The caller may not use this operation.',
    remedy: 'Ask the operator who may use it.',
  },
  {
    status: 403,
    code: 'insufficient_scope',
    meaning: 'The scopes of the API key do not allow this operation.',
    remedy: 'Use a key with the scope in `WWW-Authenticate`, or a key without restriction.',
  },
  {
    status: 404,
    code: 'not_found',
    meaning: 'The resource does not exist.',
    remedy: 'Check the ids in the request.',
  },
  {
    status: 404,
    code: 'route_not_found',
    meaning: 'No resource has this URL.',
    remedy: 'Check the path, which is case-sensitive and has no slash at its end.',
  },
  {
    status: 405,
    code: 'method_not_allowed',
    meaning: 'The URL does not support this method.',
    remedy: 'Use a method that `Allow` names.',
  },
  {
    status: 406,
    code: 'not_acceptable',
    meaning: 'The response has no media type that the client accepts.',
    remedy: 'Accept another media type.',
  },
  {
    status: 408,
    code: 'request_timeout',
    meaning: 'The request took too long to arrive.',
    remedy: 'Send it again on a better connection.',
    again: 'yes',
  },
  {
    status: 409,
    code: 'conflict',
    meaning: 'The request conflicts with the current state.',
    remedy: 'Get the resource again, and send a request that fits its current state.',
  },
  {
    status: 409,
    code: 'idempotency_in_progress',
    meaning: 'A request with the same `Idempotency-Key` is still being executed.',
    remedy: 'Send the request again after the time in `Retry-After`.',
    again: 'yes',
  },
  {
    status: 410,
    code: 'gone',
    meaning: 'The resource existed and was removed.',
    remedy: 'Do not request it again.',
  },
  {
    status: 410,
    code: 'operation_removed',
    meaning: 'The operation has been removed.',
    remedy: 'Use its successor, which `Link` names.',
  },
  {
    status: 411,
    code: 'length_required',
    meaning: 'The upload has no `Content-Length`.',
    remedy: 'Send this header.',
  },
  {
    status: 412,
    code: 'precondition_failed',
    meaning: 'A condition of the request is not met, such as `If-Match`.',
    remedy: 'Get the resource again before you change it.',
  },
  {
    status: 413,
    code: 'payload_too_large',
    meaning: 'The body is too large.',
    remedy: 'Send a smaller body.',
  },
  {
    status: 414,
    code: 'uri_too_long',
    meaning: 'The URL is too long.',
    remedy: 'Shorten its query.',
  },
  {
    status: 415,
    code: 'unsupported_media_type',
    meaning: 'The body is not JSON, or has an unknown encoding.',
    remedy: 'Send `application/json`, uncompressed or with gzip.',
  },
  {
    status: 422,
    code: 'unprocessable_entity',
    meaning: 'The request is well-formed, but cannot be executed.',
    remedy: 'Correct what the message names.',
  },
  {
    status: 422,
    code: 'idempotency_key_reused',
    meaning: 'The `Idempotency-Key` was used for another request.',
    remedy: 'Choose a new key for each new request.',
  },
  {
    status: 429,
    code: 'too_many_requests',
    meaning: 'A proxy in front of the service limits the requests of this client.',
    remedy: 'Try again after the time in `Retry-After`.',
    again: 'yes',
  },
  {
    status: 429,
    code: 'rate_limited',
    meaning: 'The API key has reached its rate limit.',
    remedy: 'Try again after the time in `Retry-After`.',
    again: 'yes',
  },
  {
    status: 431,
    code: 'headers_too_large',
    meaning: 'The headers are too large.',
    remedy: 'Send fewer headers, or shorter ones.',
  },
  {
    status: 500,
    code: 'internal_error',
    meaning: 'An error occurred inside the service.',
    remedy:
      'Try again later, and send a POST only with an `Idempotency-Key`. Report the `X-Request-Id` to the operator.',
    again: 'safely only',
  },
  {
    status: 503,
    code: 'service_unavailable',
    meaning: 'The operation is not available at the moment.',
    remedy: 'Try again after the time in `Retry-After`.',
    again: 'yes',
  },
  {
    status: 503,
    code: 'overloaded',
    meaning: 'The service is at its limit of concurrent requests, or of bytes of request bodies.',
    remedy: 'Try again after the time in `Retry-After`.',
    again: 'yes',
  },
  {
    status: 503,
    code: 'shutting_down',
    meaning: 'This process of the service is about to stop.',
    remedy:
      'Try again after the time in `Retry-After`, so that another process can respond, and send a POST only with an `Idempotency-Key`.',
    again: 'safely only',
  },
  {
    status: 503,
    code: 'database_read_only',
    meaning: 'The database accepts no writes at the moment, but reads still work.',
    remedy: 'Try again after the time in `Retry-After`, and send a POST only with an `Idempotency-Key`.',
    again: 'safely only',
  },
  {
    status: 503,
    code: 'database_unavailable',
    meaning: 'The database cannot be reached at the moment.',
    remedy: 'Try again after the time in `Retry-After`, and send a POST only with an `Idempotency-Key`.',
    again: 'safely only',
  },
] as const satisfies readonly (ErrorEntry & { readonly code: string })[];

export type PlatformCode = (typeof ROWS)[number]['code'];

export const PLATFORM_ERRORS: ReadonlyMap<string, ErrorEntry> = new Map(
  ROWS.map(({ code, ...entry }): [string, ErrorEntry] => [code, entry]),
);
