import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestLogFields } from '../../observability/logging/request-log.js';
import { toErrorResponse, type ErrorResponse } from './error-response.js';
import { NotReady } from './not-ready.js';
import { wantsProblem } from './wants-problem.js';
import { writeError } from './write-error.js';

/** Answers everything that was thrown while a request was handled, in the one Error body of the contract. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #log = new Logger('Error');

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const answer = toErrorResponse(error);
    if (!response.headersSent) writeError(response, answer, wantsProblem(request), request.path);
    // Half an answer cannot be mended: closing tells the client that it is not whole. A whole one was given by the deadline.
    else if (!response.writableEnded) response.destroy();
    // Probes come every few seconds; that readiness has changed was told when it did.
    if (answer.status >= 500 && !(error instanceof NotReady)) this.#tell(error, answer, response);
  }

  #tell(error: unknown, { status, code }: ErrorResponse, response: Response): void {
    const fields = requestLogFields(response, status);
    if (status === 500) this.#log.error(error, fields);
    else this.#log.warn(`${code}: ${reasonOf(error)}`, fields);
  }
}

/** What stood behind an outage, in one line. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(error);
}
