import type { ErrorKind } from '../../../kernel/domain-error.js';

/** The one table that knows HTTP: which status a refusal of the domain has (RFC 9110 section 15). */
export const STATUS_OF_KIND: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  unavailable: 503,
};

/** The codes of refusals that come from HTTP itself, each with its one status. Those of a domain stand in its module. */
export const STATUS_OF_CODE = {
  validation_failed: 400,
  invalid_json: 400,
  invalid_parameter: 400,
  unknown_parameter: 400,
  invalid_cursor: 400,
  invalid_idempotency_key: 400,
  bad_request: 400,
  invalid_api_key: 401,
  missing_api_key: 401,
  unauthorized: 401,
  insufficient_scope: 403,
  forbidden: 403,
  route_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  idempotency_in_progress: 409,
  conflict: 409,
  operation_removed: 410,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  unprocessable_entity: 422,
  headers_too_large: 431,
  rate_limited: 429,
  too_many_requests: 429,
  internal_error: 500,
  overloaded: 503,
  shutting_down: 503,
  timeout: 503,
  service_unavailable: 503,
} as const;

export type HttpErrorCode = keyof typeof STATUS_OF_CODE;

/** What an `HttpException` of a module is called: by its status, and no more than that says. */
export const CODE_OF_STATUS: Readonly<Record<number, HttpErrorCode>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'unprocessable_entity',
  429: 'too_many_requests',
  503: 'service_unavailable',
};
