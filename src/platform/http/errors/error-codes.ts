import type { ErrorKind } from '../../../kernel/domain-error.js';

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

/** Whether the same request may succeed later; `safely only`: if it is a GET, or has an Idempotency-Key. */
type Again = 'yes' | 'safely only';
type Explanation = readonly [meaning: string, remedy: string, again?: Again];

const WAIT = 'Wait as `Retry-After` says.';
const RETRY = 'Try again as `Retry-After` says.';
const RETRY_WITH_KEY = 'Try again as `Retry-After` says, a POST with an `Idempotency-Key`.';

/** The codes of the platform with their statuses, meanings and remedies. Modules describe their own codes. */
const ERRORS = {
  400: {
    validation_failed: [
      'Fields of the body break the rules.',
      'Correct what `details` names; it names up to 50 problems.',
    ],
    invalid_json: ['The body is not acceptable JSON.', 'Send one JSON object, in UTF-8, no name twice.'],
    invalid_parameter: [
      'A query parameter, or the request as a whole, is malformed.',
      'Correct what `details` names; without it, the request line and the headers.',
    ],
    unknown_parameter: [
      'The query has a parameter that the operation does not know.',
      'Leave it out, or correct its name.',
    ],
    invalid_cursor: [
      'The cursor does not belong to this list and filter.',
      'Begin at the first page; follow `Link` unchanged.',
    ],
    invalid_idempotency_key: [
      'The `Idempotency-Key` is malformed.',
      'Send 1 to 255 visible ASCII characters, once; a UUID will do.',
    ],
    bad_request: ['The request is wrong, as the message says.', 'Correct what the message names.'],
  },
  401: {
    unauthorized: ['The operation requires another credential.', 'Send what the message asks for.'],
    invalid_api_key: [
      'The API key is unknown, expired or revoked.',
      'Check it, or ask the operator for another.',
    ],
    missing_api_key: ['The request has no API key.', 'Send `Authorization: Bearer <API key>`.'],
  },
  403: {
    forbidden: ['The operation is not for this caller.', 'See what the message says.'],
    insufficient_scope: [
      'The API key is restricted and may not do this.',
      'Use a key with the scope in `WWW-Authenticate`.',
    ],
  },
  404: {
    not_found: ['What the request names does not exist.', 'Check the ids in the request.'],
    route_not_found: [
      'Nothing is at this address.',
      'Check the path; it is case-sensitive and has no slash at its end.',
    ],
  },
  405: { method_not_allowed: ['The address does not support this method.', 'Use one that `Allow` names.'] },
  406: {
    not_acceptable: ['The answer has no media type that the client accepts.', 'Accept another media type.'],
  },
  408: {
    request_timeout: [
      'The request took too long to arrive.',
      'Send it again, on a better connection.',
      'yes',
    ],
  },
  409: {
    conflict: [
      'The request conflicts with the present state.',
      'Get the present state, and decide again; the same request fails again.',
    ],
    idempotency_in_progress: [
      'A request with the same `Idempotency-Key` is still being answered.',
      'Send it again as `Retry-After` says.',
      'yes',
    ],
  },
  410: {
    gone: ['What the request names existed and was removed.', 'Do not ask for it again.'],
    operation_removed: ['The operation has been removed.', 'Use its successor, which `Link` names.'],
  },
  412: {
    precondition_failed: [
      'A condition that the request makes is not met.',
      'Get the present version, and decide again.',
    ],
  },
  413: { payload_too_large: ['The body is too large.', 'Send less.'] },
  414: { uri_too_long: ['The address is too long.', 'Shorten its query.'] },
  415: {
    unsupported_media_type: [
      'The body is not JSON, or is encoded in an unknown way.',
      'Send `application/json`, plain or gzip.',
    ],
  },
  422: {
    unprocessable_entity: [
      'The request is well-formed, but cannot be done.',
      'Correct what the message names.',
    ],
    idempotency_key_reused: [
      'The `Idempotency-Key` was used with another body.',
      'Make a new key for each thing you want done.',
    ],
  },
  429: {
    too_many_requests: [
      'Too many requests come, or too many with bad API keys from one address.',
      WAIT,
      'yes',
    ],
    rate_limited: ['The API key has used up its rate.', WAIT, 'yes'],
  },
  431: { headers_too_large: ['The headers are too large.', 'Send fewer or shorter ones.'] },
  500: {
    internal_error: [
      'An error occurred inside the service.',
      'Try again later, a POST with an `Idempotency-Key`; tell the operator the `X-Request-Id`.',
      'safely only',
    ],
  },
  503: {
    service_unavailable: ['The operation cannot be done at the moment.', RETRY, 'yes'],
    overloaded: ['The service is at its limit of concurrent requests.', RETRY, 'yes'],
    shutting_down: [
      'This process of the service is about to stop.',
      'Send requests elsewhere, or again as `Retry-After` says.',
      'yes',
    ],
    timeout: [
      'The answer took too long; what was asked for may still be done.',
      RETRY_WITH_KEY,
      'safely only',
    ],
    database_read_only: [
      'The database accepts no writes at the moment; reads still work.',
      RETRY_WITH_KEY,
      'safely only',
    ],
    database_unavailable: ['The database cannot be reached at the moment.', RETRY_WITH_KEY, 'safely only'],
  },
} as const satisfies Record<number, Record<string, Explanation>>;

type Errors = typeof ERRORS;
export type HttpErrorCode = { [Status in keyof Errors]: keyof Errors[Status] }[keyof Errors];

export interface ErrorEntry {
  readonly status: number;
  /** What is wrong: a sentence. */
  readonly meaning: string;
  /** What a client can do about it: a sentence. */
  readonly remedy: string;
  /** Absent: no. */
  readonly again?: Again;
}

const catalogue = new Map<string, ErrorEntry>(
  Object.entries<Record<string, Explanation>>(ERRORS).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, [meaning, remedy, again]]) => [
      code,
      { status: Number(status), meaning, remedy, ...(again && { again }) },
    ]),
  ),
);
const platformCodes: ReadonlySet<string> = new Set(catalogue.keys());

/** All error codes of the service. */
export const errorCatalogue: ReadonlyMap<string, ErrorEntry> = catalogue;

/** Whether a code belongs to a module; only operations that declare it answer with it. */
export const isModuleCode = (code: string): boolean => !platformCodes.has(code);

/** Adds the error codes of a module. To be called in the file of the controller that answers with them. */
export function describeErrors(entries: Readonly<Record<string, ErrorEntry>>): void {
  for (const [code, entry] of Object.entries(entries)) catalogue.set(code, entry);
}
