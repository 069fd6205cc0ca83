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

/**
 * The codes of refusals that come from HTTP itself, each with its one status; the first of a status is its most general.
 * Those of a domain stand in its module.
 */
export const STATUS_OF_CODE = {
  validation_failed: 400,
  invalid_json: 400,
  invalid_parameter: 400,
  unknown_parameter: 400,
  invalid_cursor: 400,
  invalid_idempotency_key: 400,
  invalid_api_key: 401,
  missing_api_key: 401,
  insufficient_scope: 403,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_in_progress: 409,
  operation_removed: 410,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  headers_too_large: 431,
  rate_limited: 429,
  internal_error: 500,
  overloaded: 503,
  shutting_down: 503,
  timeout: 503,
} as const;

export type HttpErrorCode = keyof typeof STATUS_OF_CODE;
