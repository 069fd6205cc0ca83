import { HttpException } from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { PLATFORM_ERRORS, type PlatformCode } from './error-codes.js';

/** An error as clients receive it: the Error body of the contract, and the headers. */
export interface ErrorResponse {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** `field` is a JSON pointer into the body, or `query.` with the name of a parameter. */
  readonly details?: readonly Problem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The members that a problem of RFC 9457 has in addition, and its `type`. */
  readonly problem?: Readonly<Record<string, unknown>> | undefined;
}

/** The number of seconds after which a client may repeat a request that the service could not serve. */
export const RETRY_AFTER = { 'Retry-After': '1' };

type Extras = Partial<Pick<ErrorResponse, 'headers' | 'details' | 'problem'>>;

/** The error of a code. Without a message, it has the meaning and the remedy of the code as its message. */
export function errorResponse(
  code: PlatformCode,
  message?: string,
  { headers = {}, details, problem }: Extras = {},
): ErrorResponse {
  const { status, meaning, remedy } = PLATFORM_ERRORS.get(code)!;
  return { code, message: message ?? `${meaning} ${remedy}`, status, details, problem, headers };
}

/** The maximum number of problems in a response. It keeps the response from being much larger than the request. */
export const MAX_DETAILS = 50;

/** An error of HTTP itself, such as a body that is not JSON. Errors of the domain are `DomainError`s. */
export class ApiException extends HttpException {
  readonly answer: ErrorResponse;

  constructor(
    readonly code: PlatformCode,
    message?: string,
    { cause, ...extras }: Extras & { readonly cause?: unknown } = {},
  ) {
    const answer = errorResponse(code, message, extras);
    // Filters of modules send the result of `getResponse()`, which is this body.
    const { headers: _, problem: __, ...body } = answer;
    super(body, answer.status, { cause });
    this.answer = answer;
  }

  /** An error for problems of fields. The message names the problems that are in `details`, and the number of all others of `count`. */
  static ofProblems(code: PlatformCode, problems: readonly Problem[], count = problems.length): ApiException {
    const details = problems.slice(0, MAX_DETAILS);
    const summary = details.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
    const more = count - details.length;
    return new ApiException(code, more > 0 ? `${summary}; and ${more} more.` : `${summary}.`, { details });
  }
}

/** A probe found that the service is not ready. Clients get the error for `cause`. */
export class NotReady extends Error {
  constructor(override readonly cause: unknown) {
    super('The service is not ready.');
  }
}
