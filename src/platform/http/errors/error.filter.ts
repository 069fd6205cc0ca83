import { format } from 'node:util';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpStatus, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Observable, throwError } from 'rxjs';
import { StatementFailed } from '../../database/database-errors.js';
import { requestLogFields } from '../../observability/logging/request-log.js';
import { type ErrorResponse, NotReady } from './api-exception.js';
import { toErrorResponse } from './error-response.js';
import { toHttpException } from './http-exception.js';
import { answerWithError } from './write-error.js';

/** How long a fault that repeats itself is logged without its stack, but with its number. */
const REPETITION_S = 10;

/** Answers everything that was thrown while a request was handled, in the one Error body of the contract. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #log = new Logger('Error');
  /** When the stack of each kind of fault was logged last, and how many there were since. */
  readonly #faults = new Map<string, { readonly since: number; count: number }>();

  catch(thrown: unknown, host: ArgumentsHost): Observable<never> | undefined {
    if (host.getType() !== 'http') return this.#passOn(thrown, host);
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toErrorResponse(thrown);
    if (!response.headersSent) answerWithError(request, response, error);
    // Half an answer cannot be mended: closing tells the client that it is not whole. A whole one was given by the deadline.
    else if (!response.writableEnded) response.destroy();
    // Probes come every few seconds; the change of readiness is logged when it happens.
    if (error.status >= 500 && !(thrown instanceof NotReady)) this.#report(thrown, error, response);
    return undefined;
  }

  /** A microservice waits for what a filter returns, for ever if that throws; others are told by who called. */
  #passOn(thrown: unknown, host: ArgumentsHost): Observable<never> {
    if (host.getType() !== 'rpc') throw thrown;
    const { status, message } = toErrorResponse(thrown);
    if (status >= 500) this.#log.error(sayable(thrown));
    return throwError(() => ({ status: 'error', message }));
  }

  #report(thrown: unknown, { status, code }: ErrorResponse, response: Response): void {
    const fields = requestLogFields(response, status);
    if (status !== 500) {
      this.#log.warn(`${code}: ${reasonOf(thrown)}`, fields);
      return;
    }
    const kind = kindOf(thrown);
    const now = performance.now();
    const repeated = this.#faults.get(kind);
    if (repeated && now - repeated.since < REPETITION_S * 1_000) {
      repeated.count += 1;
      this.#log.error(`internal_error: ${kind}, ${repeated.count} times in ${REPETITION_S} s`, fields);
    } else {
      this.#faults.set(kind, { since: now, count: 1 });
      const remedy = remedyOf(thrown);
      if (remedy === undefined) this.#log.error(sayable(thrown), fields);
      else this.#log.error(remedy, sayable(thrown), fields);
    }
  }
}

/** The class of an error and where it was thrown, or the beginning of the statement that failed: nothing that clients vary. */
function kindOf(thrown: unknown): string {
  if (thrown instanceof StatementFailed) return `${thrown.reason} from ${thrown.statement.slice(0, 60)}`;
  if (!(thrown instanceof Error)) return thrown === null ? 'null' : typeof thrown;
  const { stack = '', message } = thrown;
  return `${thrown.constructor.name} ${/at .*/.exec(stack.replace(message, ''))?.[0] ?? ''}`.trim();
}

const sayable = (thrown: unknown) => (thrown instanceof Error ? thrown : format(thrown));

/** How whoever wrote the module gets the status that was thrown, if it was one of those that no error code has. */
function remedyOf(thrown: unknown): string | undefined {
  const status = toHttpException(thrown)?.getStatus();
  if (status === undefined || status < 400 || status === 500) return undefined;
  const code = HttpStatus[status]?.toLowerCase() ?? 'a code for it';
  return `${status} has no error code, so it is answered with 500: describe ${code} with describeErrors`;
}

function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(sayable(error));
}
