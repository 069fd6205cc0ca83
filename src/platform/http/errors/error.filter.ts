import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestLogFields } from '../../observability/logging/request-log.js';
import { type ErrorResponse, NotReady } from './api-exception.js';
import { toErrorResponse } from './error-response.js';
import { FaultLog } from './fault-log.js';
import { answerWithError } from './write-error.js';

/** Answers everything that was thrown while a request was handled, in the one Error body of the contract. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #log = new Logger('Error');

  constructor(private readonly faults: FaultLog) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toErrorResponse(thrown);
    if (!response.headersSent) answerWithError(request, response, error);
    // Half an answer cannot be mended: closing tells the client that it is not whole. A whole one was given by the deadline.
    else if (!response.writableEnded) response.destroy();
    // Probes come every few seconds; the change of readiness is logged when it happens.
    if (error.status >= 500 && !(thrown instanceof NotReady)) this.#report(thrown, error, response);
  }

  #report(thrown: unknown, { status, code }: ErrorResponse, response: Response): void {
    const fields = requestLogFields(response, status);
    if (status === 500) this.faults.write(thrown, fields);
    else this.#log.warn(`${code}: ${reasonOf(thrown)}`, fields);
  }
}

/** The cause of an outage, in one line. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(error);
}
