import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';

/** An error of the package `http-errors`, or an object of its form. */
interface HttpError {
  readonly statusCode: number;
  readonly message: string;
  readonly expose?: boolean;
}

/**
 * What Nest answers with a status that was thrown: its own exceptions, and what looks like an error of `http-errors`. The text of a
 * failure (5xx) of those, or one that is not to be exposed, is for operators only.
 */
export function toHttpException(thrown: unknown): HttpException | undefined {
  if (thrown instanceof HttpException) return thrown;
  if (!isHttpError(thrown)) return undefined;
  const { statusCode, message, expose } = thrown;
  const isHidden = expose === false || statusCode >= 500;
  const text = isHidden ? (STATUS_CODES[statusCode] ?? 'Error') : message;
  return new HttpException(text, statusCode, { cause: thrown });
}

/** As Nest's `BaseExceptionFilter` does: an error of any other package may have a `statusCode` that is not meant for clients. */
function isHttpError(thrown: unknown): thrown is HttpError {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { statusCode, status, message, expose } = thrown as Partial<Record<string, unknown>>;
  if (!Number.isInteger(statusCode) || (statusCode as number) < 400 || (statusCode as number) > 599)
    return false;
  return thrown instanceof Error
    ? typeof expose === 'boolean' && status === statusCode
    : typeof message === 'string' && message !== '';
}
