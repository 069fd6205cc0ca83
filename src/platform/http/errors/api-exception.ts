import { HttpException } from '@nestjs/common';
import type { Problem } from '../../../kernel/domain-error.js';
import { PLATFORM_ERRORS, type PlatformCode } from './error-codes.js';

/** An error as clients receive it: the Error body of the contract, and its headers. */
export interface ErrorResponse {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** `field` in the client's terms: a JSON pointer, or `query.` and the name of the parameter. */
  readonly details?: readonly Problem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Members of the problem (RFC 9457) that a type of problem defines, and its `type`. */
  readonly problem?: Readonly<Record<string, unknown>> | undefined;
}

/** The number of seconds after which a client may retry what the service could not serve. */
export const RETRY_AFTER = { 'Retry-After': '1' };

type Extras = Partial<Pick<ErrorResponse, 'headers' | 'details' | 'problem'>>;

/** The error of a code. Without a message it says what its row in the table says. */
export function errorResponse(
  code: PlatformCode,
  message?: string,
  { headers = {}, details, problem }: Extras = {},
): ErrorResponse {
  const { status, meaning, remedy } = PLATFORM_ERRORS.get(code)!;
  return {
    code,
    message: message ?? `${meaning} ${remedy}`,
    status,
    details,
    problem,
    headers: status === 503 ? { ...RETRY_AFTER, ...headers } : headers,
  };
}

/** The maximum number of problems in an answer, so that no answer is much larger than its request. */
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
    // The body for filters of modules, which send the result of `getResponse()`.
    const { headers: _, problem: __, ...body } = answer;
    super(body, answer.status, { cause });
    this.answer = answer;
  }

  /** Its message names the problems that are in the answer, and says how many of all `count` are not. */
  static ofProblems(code: PlatformCode, problems: readonly Problem[], count = problems.length): ApiException {
    const details = problems.slice(0, MAX_DETAILS);
    const summary = details.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
    const more = count - details.length;
    return new ApiException(code, more > 0 ? `${summary}; and ${more} more.` : `${summary}.`, { details });
  }
}

/** A probe found that the service is not ready. Clients get the error of `cause`. */
export class NotReady extends Error {
  constructor(override readonly cause: unknown) {
    super('The service is not ready.');
  }
}
