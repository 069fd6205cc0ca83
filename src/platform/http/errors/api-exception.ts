import { HttpException } from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { errorCatalogue, type HttpErrorCode } from './error-codes.js';

/** An error as a client gets it: the Error body of the contract, and the headers that go with it. */
export interface ErrorResponse {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** `field` as the client knows it: a JSON pointer, or `query.` and the parameter's name. */
  readonly details?: readonly Problem[] | undefined;
  /** For operators only. */
  readonly reasons?: readonly Reason[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether those of the headers stay as they are that the response has already. */
  readonly keepsHeaders?: boolean;
}

/** Seconds after which a client that the service could not serve may try again. */
export const RETRY_AFTER = { 'Retry-After': '1' };

type Extras = Partial<Pick<ErrorResponse, 'headers' | 'details'>>;

export function errorResponse(
  code: HttpErrorCode,
  message: string,
  { headers = {}, details }: Extras = {},
): ErrorResponse {
  const { status } = errorCatalogue.get(code)!;
  return {
    status,
    code,
    message,
    details,
    headers: status === 503 ? { ...RETRY_AFTER, ...headers } : headers,
  };
}

/** An error of HTTP itself, such as a body that is no JSON. Errors of a domain are `DomainError`s. */
export class ApiException extends HttpException {
  readonly answer: ErrorResponse;

  constructor(
    readonly code: HttpErrorCode,
    message: string,
    { cause, ...extras }: Extras & { readonly cause?: unknown } = {},
  ) {
    const answer = errorResponse(code, message, extras);
    const { status, details } = answer;
    // The body, as filters of modules send what `getResponse()` has.
    super({ code, message, status, details }, status, { cause });
    this.answer = answer;
  }
}

/** Why the service is not to be sent requests, or no changes. The codes are for programs and never change. */
export interface Reason {
  readonly code:
    | 'starting'
    | 'migrations_missing'
    | 'database_busy'
    | 'database_unavailable'
    | 'database_read_only'
    | 'stopping';
  readonly message: string;
  /** Since when this process knows, in RFC 3339. */
  readonly since: string;
}

/** A probe finds that the service is not ready. Every client gets the error of `cause`, operators the reasons besides. */
export class NotReady extends Error {
  constructor(
    override readonly cause: unknown,
    readonly reasons: readonly Reason[] | undefined,
  ) {
    super('The service is not ready.');
  }
}
