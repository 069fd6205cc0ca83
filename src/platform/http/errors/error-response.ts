import { HttpException } from '@nestjs/common';
import { DomainError, InvalidInput, type Problem } from '../../../kernel/domain-error.js';
import { errorCatalogue } from './error-catalogue.js';
import { CODE_OF_STATUS, type HttpErrorCode, STATUS_OF_KIND } from './error-codes.js';
import { pointerTo } from './json-pointer.js';
import { ApiException, RETRY_AFTER } from './api-exception.js';
import { NotReady, type Reason } from './not-ready.js';

/** What a client is told of a failure: the Error body of the contract, and the headers that go with it. */
export interface ErrorResponse {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: readonly Problem[] | undefined;
  /** What an operator is told besides. */
  readonly reasons?: readonly Reason[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Turns whatever was thrown into an answer. What is not a refusal is a fault of ours: 500, and nothing of it leaks. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof DomainError) return answerToDomain(error);
  if (error instanceof NotReady) return withReasons(toErrorResponse(error.cause), error.reasons);
  if (error instanceof ApiException) return error;
  if (error instanceof HttpException) return answerToFramework(error);
  return refusal('internal_error', FAULT);
}

function answerToDomain(error: DomainError): ErrorResponse {
  const { code, message } = error;
  const status = STATUS_OF_KIND[error.kind];
  if (error instanceof InvalidInput) {
    const details = error.problems.map((problem) => ({ ...problem, field: pointerTo(problem.field) }));
    return refusal('validation_failed', summaryOf(details), details);
  }
  return { status, code, message, headers: error.kind === 'unavailable' ? RETRY_AFTER : {} };
}

/** An error keeps its message where spreading it would lose it. */
function withReasons(answer: ErrorResponse, reasons: ErrorResponse['reasons']): ErrorResponse {
  const { status, code, message, details, headers } = answer;
  return { status, code, message, details, headers, reasons };
}

/** The message of a refusal with details: a sentence that still names every problem. */
export function summaryOf(problems: readonly Problem[]): string {
  return `${problems.map(({ field, message }) => `${field} ${message}`.trim()).join('; ')}.`;
}

/**
 * What a module throws in Nest's words: its message, and the code that it names if the catalogue has it for this status,
 * else that of the status. A status without a code, 500 above all, is a fault.
 */
function answerToFramework(error: HttpException): ErrorResponse {
  // An address that cannot be decoded names nothing we have.
  if (error.cause instanceof URIError) {
    return refusal('route_not_found', 'Nothing is at this address. GET / lists what is here.');
  }
  const status = error.getStatus();
  const general = CODE_OF_STATUS[status];
  if (!general) return refusal('internal_error', FAULT);
  const given = error.getResponse() as { code?: unknown; message?: unknown; error?: unknown } | string;
  const {
    code,
    error: title = error.message,
    message = title,
  } = typeof given === 'string' ? { message: given } : given;
  const own = typeof code === 'string' && errorCatalogue.get(code)?.status === status ? code : general;
  return {
    status,
    code: own,
    message: [message].flat().join('; '),
    headers: HEADERS_OF_STATUS[status] ?? {},
  };
}

const FAULT = 'Something went wrong on our side. Try again later.';

/** What HTTP wants beside a status (RFC 9110 sections 15.5.2 and 15.6.4, RFC 6585 section 4). */
const HEADERS_OF_STATUS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer realm="petstore"' },
  403: { 'WWW-Authenticate': 'Bearer realm="petstore"' },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

function refusal(code: HttpErrorCode, message: string, details?: readonly Problem[]): ErrorResponse {
  return new ApiException(code, message, details && { details });
}
