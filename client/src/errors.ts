import type { components } from './api-types.js';
import { readJson } from './json.js';
import { type ApiResponse, retryAfterOf } from './response.js';

/** One problem of the body, the query or the path: `field` is a JSON pointer (`/name`), or `query.` or `path.` and a name. */
export type ErrorDetail = components['schemas']['ErrorDetail'];

/**
 * The error codes of the service and of the proxy that comes with it. `unexpected_answer` stands for a response from anything
 * else.
 */
export type ErrorCode =
  components['schemas']['Error']['code'] | 'bad_gateway' | 'gateway_timeout' | 'unexpected_answer';

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly ErrorDetail[];
}

/** `ErrorOptions` of ES2022, which programs that are compiled for an older library do not have. */
interface Reason {
  readonly cause?: unknown;
}

/** The service responded, but with an error. The most common statuses have classes of their own. */
export class PetStoreError extends Error {
  override readonly name: string = 'PetStoreError';
  /** For programs. A newer service may have codes that `ErrorCode` does not know. */
  readonly code: ErrorCode | (string & {});
  /** The HTTP status. */
  readonly status: number;
  /** Every problem of the body, the query or the path; empty on other errors. */
  readonly details: readonly ErrorDetail[];
  /** The id by which the service's operator finds the request, if the response has one. */
  readonly requestId: string | undefined;
  /** After how many seconds a further try makes sense, if the response says so. */
  readonly retryAfter: number | undefined;
  /** The key of a `create` or `post`. To repeat the call without executing it twice, use the same key. */
  readonly idempotencyKey: string | undefined;
  readonly response: ApiResponse;
  declare readonly cause?: unknown;

  constructor({ code, message, details = [] }: ErrorBody, response: ApiResponse, options?: Reason) {
    super(message, options);
    this.code = code;
    this.status = response.status;
    this.details = details;
    this.requestId = response.requestId;
    this.retryAfter = retryAfterOf(response);
    this.idempotencyKey = response.idempotencyKey;
    this.response = response;
  }

  /** `JSON.stringify` would leave out the message. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

/** 304: the client has the current version, which its own `If-None-Match` names. */
export class NotModifiedError extends PetStoreError {
  override readonly name = 'NotModifiedError';
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
/** 404: the resource does not exist. */
export class NotFoundError extends PetStoreError {
  override readonly name = 'NotFoundError';
}
/** 409: the current state of the resource does not allow the change. */
export class ConflictError extends PetStoreError {
  override readonly name = 'ConflictError';
}
/** 410: the operation has been removed. */
export class GoneError extends PetStoreError {
  override readonly name = 'GoneError';
}
/** 412: the resource has changed since the version that `If-Match` names. */
export class PreconditionFailedError extends PetStoreError {
  override readonly name = 'PreconditionFailedError';
}
/** 422: the idempotency key was used for another request. */
export class UnprocessableEntityError extends PetStoreError {
  override readonly name = 'UnprocessableEntityError';
}
/** 429: the rate is used up for longer than the client waits. */
export class RateLimitError extends PetStoreError {
  override readonly name = 'RateLimitError';
}
/** 500 and above: the service, or a server in between, has a fault or is overloaded. */
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
  412: PreconditionFailedError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

const classOf = (status: number) => CLASSES[status] ?? (status >= 500 ? ServerError : PetStoreError);

/** No try got a response. `cause` is the error of the last try, a `TimeoutError` if it took too long. */
export class PetStoreUnreachable extends Error {
  override readonly name = 'PetStoreUnreachable';
  /** How often the request was sent. */
  readonly tries: number;
  /** The key of a `create` or `post`, which may have been executed. To repeat the call, use the same key. */
  readonly idempotencyKey: string | undefined;
  declare readonly cause: unknown;

  constructor(address: URL, tries: number, cause: unknown, idempotencyKey?: string) {
    super(`${address.origin} did not answer, tries: ${tries}.`, { cause });
    this.tries = tries;
    this.idempotencyKey = idempotencyKey;
  }

  /** `JSON.stringify` would leave out the message. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

const NOT_MODIFIED = {
  code: 'not_modified',
  message: 'It is still as `If-None-Match` says; keep what you have.',
};

/** The error that a response of the service describes. */
export function errorIn(response: ApiResponse): PetStoreError {
  if (response.status === 304) return new NotModifiedError(NOT_MODIFIED, response);
  const body = errorBodyIn(response);
  return body
    ? new (classOf(response.status))(body, response)
    : unexpected(response, `an error that is not the service's own`);
}

/** The `code` of an error; undefined if the response does not come from the service. */
export const codeIn = (response: ApiResponse): string | undefined => errorBodyIn(response)?.code;

/** An error for a response that the service never sends. It comes from a server in between, or from another service. */
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
