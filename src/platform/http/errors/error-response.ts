import { STATUS_CODES } from 'node:http';
import { HttpException, HttpStatus } from '@nestjs/common';
import { DomainError, InvalidInput } from '../../../kernel/domain-error.js';
import { shownName } from '../../json/shown-name.js';
import { ApiException, errorResponse, type ErrorResponse, NotReady } from './api-exception.js';
import { type ErrorEntry, PLATFORM_ERRORS, STATUS_OF_KIND } from './error-codes.js';

/** The JSON pointer to a member of the body (RFC 6901 section 3). A long name is shortened. */
export const pointerTo = (member: string) =>
  `/${shownName(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;

type Codes = ReadonlyMap<string, ErrorEntry>;

/**
 * Converts anything that was thrown to a response. An unknown error becomes a 500 that reveals nothing. An exception may name one of
 * `codes`. `takesBody` says whether the problems of an `InvalidInput` are in the body or in the query.
 */
export function toErrorResponse(
  error: unknown,
  codes: Codes = PLATFORM_ERRORS,
  takesBody = true,
): ErrorResponse {
  if (error instanceof InvalidInput) return ofInput(error, takesBody);
  if (error instanceof DomainError) return ofDomain(error);
  if (error instanceof NotReady) return toErrorResponse(error.cause, codes);
  if (error instanceof ApiException) return error.answer;
  const exception = toHttpException(error);
  return exception ? ofNest(exception, codes) : errorResponse('internal_error');
}

function ofInput({ problems }: InvalidInput, takesBody: boolean): ErrorResponse {
  const fieldOf = takesBody ? pointerTo : (name: string) => `query.${name}`;
  const details = problems.map((problem) => ({ ...problem, field: fieldOf(problem.field) }));
  return ApiException.ofProblems(takesBody ? 'validation_failed' : 'invalid_parameter', details).answer;
}

function ofDomain({ kind, code, message }: DomainError): ErrorResponse {
  const status = STATUS_OF_KIND[kind] as number | undefined;
  // An error class without `kind` is not documented for clients.
  if (status === undefined) return errorResponse('internal_error');
  const advice = kind === 'unavailable' ? ' Try again after the time in Retry-After.' : '';
  return { status, code, message: message + advice, headers: {} };
}

/** Whether Express could not decode the URL, which therefore matches no route. Only Express gives a `URIError` a status. */
const isUndecodable = (cause: unknown) =>
  cause instanceof URIError && (cause as { status?: unknown }).status === 400;

/**
 * Converts an exception of Nest and keeps its message. If the exception names a code of its status, the response has this code.
 * Otherwise it has the general code of the status. A 500, and a status without a code, are faults of the service.
 */
function ofNest(error: HttpException, codes: Codes): ErrorResponse {
  if (isUndecodable(error.cause)) return errorResponse('route_not_found');
  const status = error.getStatus();
  const given = error.getResponse() as { code?: unknown; errorCode?: unknown };
  const code = [given.code, error.errorCode, given.errorCode, HttpStatus[status]?.toLowerCase()].find(
    (name): name is string => typeof name === 'string' && codes.get(name)?.status === status,
  );
  if (code === undefined || status === 500) return errorResponse('internal_error');
  return { status, code, message: messageOf(error), headers: {} };
}

/**
 * The message of an exception in one line: its texts, the messages of the objects in it, or the names of the failed parts of a
 * health check. Otherwise it is the name of the exception.
 */
function messageOf(error: HttpException): string {
  const given = error.getResponse() as { message?: unknown; error?: unknown } | string;
  if (typeof given === 'string') return given;
  const messages = messagesIn(given.message);
  const texts = messages.length > 0 ? messages : messagesIn(given.error);
  if (texts.length > 0) return texts.join('; ');
  const failed = given.error && typeof given.error === 'object' ? Object.keys(given.error) : [];
  return failed.length > 0 ? `${error.message}: ${failed.join(', ')}` : error.message;
}

/** The texts in a message or in a list of messages. An object counts with its `message`, and without a message not at all. */
const messagesIn = (given: unknown): string[] =>
  [given].flat().flatMap((part) => {
    const text = typeof part === 'object' ? (part as { message?: unknown } | null)?.message : part;
    return typeof text === 'string' || typeof text === 'number' ? String(text) : [];
  });

/**
 * The exception for errors whose status Nest sends to clients: its own exceptions, and errors of `http-errors` or of the same shape.
 * An error of another package may have a `statusCode` that is not meant for clients, as in Nest's `BaseExceptionFilter`. The message
 * of a failure (5xx), and of an error that must not be exposed, is only for operators.
 */
export function toHttpException(thrown: unknown): HttpException | undefined {
  if (thrown instanceof HttpException) return thrown;
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const { statusCode, status, message, expose } = thrown as Partial<Record<string, unknown>>;
  if (typeof statusCode !== 'number' || !(statusCode in STATUS_CODES) || statusCode < 400) return undefined;
  const isMeant =
    thrown instanceof Error
      ? typeof expose === 'boolean' && status === statusCode
      : typeof message === 'string' && message !== '';
  if (!isMeant) return undefined;
  const isHidden = expose === false || statusCode >= 500;
  return new HttpException(isHidden ? STATUS_CODES[statusCode]! : String(message), statusCode, {
    cause: thrown,
  });
}
