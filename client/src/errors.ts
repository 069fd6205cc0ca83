import type { components } from './api-types.js';
import { readJson } from './json.js';
import { type ApiResponse, retryAfterOf } from './response.js';

/** One problem of a body or a query: `field` is a JSON pointer (`/name`), or `query.` and a name. */
export type ErrorDetail = components['schemas']['ErrorDetail'];

/** The service's codes, those of the proxy that comes with it, and `unexpected_answer` if the answer came from anything else. */
export type ErrorCode =
  components['schemas']['Error']['code'] | 'bad_gateway' | 'gateway_timeout' | 'unexpected_answer';

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

/** The service answered, but not with what was asked for. For the most common statuses there is a class of its own. */
export class PetStoreError extends Error {
  override readonly name: string = 'PetStoreError';
  /** For programs. A newer service may have codes that `ErrorCode` does not know. */
  readonly code: ErrorCode | (string & {});
  /** The HTTP status. */
  readonly status: number;
  /** Every problem of a body or a query; empty on other errors. */
  readonly details: readonly ErrorDetail[];
  /** What the service's operator finds the request by, if the service has told. */
  readonly requestId: string | undefined;
  /** After how many seconds a further try makes sense, if the service has told. */
  readonly retryAfter: number | undefined;
  readonly response: ApiResponse;

  constructor({ code, message, details = [] }: ErrorBody, response: ApiResponse, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = response.status;
    this.details = details;
    this.requestId = response.requestId;
    this.retryAfter = retryAfterOf(response);
    this.response = response;
  }
}

/** 400: the request is malformed; `details` says where. */
export class BadRequestError extends PetStoreError {
  override readonly name = 'BadRequestError';
}
/** 401: the API key is unknown, expired or revoked. */
export class AuthenticationError extends PetStoreError {
  override readonly name = 'AuthenticationError';
}
/** 403: the API key may not do this. */
export class PermissionDeniedError extends PetStoreError {
  override readonly name = 'PermissionDeniedError';
}
/** 404: there is no such thing. */
export class NotFoundError extends PetStoreError {
  override readonly name = 'NotFoundError';
}
/** 409: what is there does not allow it. */
export class ConflictError extends PetStoreError {
  override readonly name = 'ConflictError';
}
/** 410: the operation has been removed. */
export class GoneError extends PetStoreError {
  override readonly name = 'GoneError';
}
/** 422: the idempotency key was used for something else. */
export class UnprocessableEntityError extends PetStoreError {
  override readonly name = 'UnprocessableEntityError';
}
/** 429: the rate is used up for longer than the client waits. */
export class RateLimitError extends PetStoreError {
  override readonly name = 'RateLimitError';
}
/** 500 and above: the service, or something in between, has a fault or too much to do. */
export class ServerError extends PetStoreError {
  override readonly name = 'ServerError';
}

const CLASSES: Readonly<Record<number, typeof PetStoreError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

const classOf = (status: number) => CLASSES[status] ?? (status >= 500 ? ServerError : PetStoreError);

/** No answer came, at the last try neither. `cause` is what the last try failed with, a `TimeoutError` if it took too long. */
export class PetStoreUnreachable extends Error {
  override readonly name = 'PetStoreUnreachable';
  /** How often it was tried. */
  readonly tries: number;

  constructor(address: URL, tries: number, cause: unknown) {
    super(`${address.origin} did not answer, tries: ${tries}.`, { cause });
    this.tries = tries;
  }
}

const NOT_MODIFIED = {
  code: 'not_modified',
  message: 'It is still as `If-None-Match` says; keep what you have.',
};

/** The error that an answer of the service tells. */
export function errorIn(response: ApiResponse): PetStoreError {
  if (response.status === 304) return new PetStoreError(NOT_MODIFIED, response);
  const body = errorBodyIn(response);
  return body
    ? new (classOf(response.status))(body, response)
    : unexpected(response, `an error that is not the service's own`);
}

/** The `code` of an error; undefined if it is not the service's own. */
export const codeIn = (response: ApiResponse): string | undefined => errorBodyIn(response)?.code;

/** An answer that the service would not give: from something in between, or from another service. */
export function unexpected(response: ApiResponse, what: string, cause?: unknown): PetStoreError {
  const message = `${response.url.origin} answered ${response.status} with ${what}.`;
  return new (classOf(response.status))({ code: 'unexpected_answer', message }, response, { cause });
}

function errorBodyIn({ text }: ApiResponse): ErrorBody | undefined {
  try {
    const body = readJson(text) as Partial<ErrorBody> | null;
    if (typeof body?.code !== 'string' || typeof body.message !== 'string') return undefined;
    const details = Array.isArray(body.details) ? (body.details as ErrorDetail[]) : [];
    return { code: body.code, message: body.message, details };
  } catch {
    return undefined;
  }
}
