import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';

/** An error of the package `http-errors`, or an object of the same shape. */
interface HttpError {
  readonly statusCode: number;
  readonly message: string;
  readonly expose?: boolean;
}

/**
 * Converts what Nest answers with the status that was thrown: its own exceptions, and errors shaped like those of
 * `http-errors`. The message of a failure (5xx), or of an error that must not be exposed, is for operators only.
 */
export function toHttpException(thrown: unknown): HttpException | undefined {
  if (thrown instanceof HttpException) return thrown;
  if (!isHttpError(thrown)) return undefined;
  const { statusCode, message, expose } = thrown;
  const isHidden = expose === false || statusCode >= 500;
  const text = isHidden ? (STATUS_CODES[statusCode] ?? 'Error') : message;
  return new HttpException(text, statusCode, { cause: thrown });
}

/** As in Nest's `BaseExceptionFilter`: errors of other packages may have a `statusCode` that is not meant for clients. */
function isHttpError(thrown: unknown): thrown is HttpError {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { statusCode, status, message, expose } = thrown as Partial<Record<string, unknown>>;
  if (!Number.isInteger(statusCode) || (statusCode as number) < 400 || (statusCode as number) > 599)
    return false;
  return thrown instanceof Error
    ? typeof expose === 'boolean' && status === statusCode
    : typeof message === 'string' && message !== '';
}
