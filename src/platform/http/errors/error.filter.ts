import { type ArgumentsHost, Catch, type ExceptionFilter, HttpStatus, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { DatabaseNotOpen, StatementFailed } from '../../database/errors.js';
import { loggable } from '../../observability/logging/log-entry.js';
import { answeredRequest, requestOf, routeOf } from '../request.js';
import type { RoutesAdapter } from '../server/routes.adapter.js';
import { type ErrorResponse, NotReady } from './api-exception.js';
import { ErrorCatalogue } from './error-catalogue.js';
import { toErrorResponse, toHttpException } from './error-response.js';
import { answerWithError } from './write-error.js';

/** The time in which a repeated fault is counted, and logged without its stack. */
const REPETITION_S = 10;

/** Responds to everything that is thrown while a request is handled, with the Error body of the contract. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #log = new Logger('Error');
  /** The time at which the stack of each kind of fault was logged last, and the number of faults since then. */
  readonly #faults = new Map<string, { readonly since: number; count: number }>();

  constructor(
    private readonly catalogue: ErrorCatalogue,
    private readonly host: HttpAdapterHost<RoutesAdapter>,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    // A caller other than HTTP, such as a gateway, reports the error itself.
    if (host.getType() !== 'http') throw thrown;
    const request = requestOf(host);
    const response = request.res!;
    // A decorator of a module may have read the body of a route that takes none.
    const takesBody = request.body !== undefined || routeOf(request)?.takesBody;
    const error = toErrorResponse(thrown, this.catalogue.all(), takesBody);
    // A 405 requires `Allow` (RFC 9110 section 15.5.6).
    if (error.status !== 405 || 'Allow' in error.headers || response.hasHeader('Allow'))
      this.#answer(thrown, error, response);
    else
      void this.host.httpAdapter.methodsOf(request).then((methods) => {
        const headers = { ...error.headers, Allow: methods.join(', ') };
        this.#answer(thrown, { ...error, headers }, response);
      });
  }

  #answer(thrown: unknown, error: ErrorResponse, response: Response): void {
    if (!response.headersSent) answerWithError(response, error);
    // A partial response cannot be repaired. Closing the connection shows that it is incomplete.
    else if (!response.writableEnded) response.destroy();
    // The reason why the service is not ready is logged once, when it occurs, and not for each request or probe.
    const isLogged = thrown instanceof NotReady || thrown instanceof DatabaseNotOpen;
    if (error.status >= 500 && !isLogged) this.#report(thrown, error, response);
  }

  #report(thrown: unknown, { status, code }: ErrorResponse, response: Response): void {
    const fields = answeredRequest(response, status);
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
      if (remedy === undefined) this.#log.error(loggable(thrown), fields);
      else this.#log.error(remedy, loggable(thrown), fields);
    }
  }
}

/** The class of an error and where it was thrown, or the beginning of the failed statement. Clients cannot influence it. */
function kindOf(thrown: unknown): string {
  if (thrown instanceof StatementFailed) return `${thrown.code} from ${thrown.query.slice(0, 60)}`;
  if (!(thrown instanceof Error)) return thrown === null ? 'null' : typeof thrown;
  const { stack = '', message } = thrown;
  return `${thrown.constructor.name} ${/at .*/.exec(stack.replace(message, ''))?.[0] ?? ''}`.trim();
}

/** A hint for the author of a module that throws a status without an error code. */
function remedyOf(thrown: unknown): string | undefined {
  const status = toHttpException(thrown)?.getStatus();
  if (status === undefined || status < 400 || status === 500) return undefined;
  const code = HttpStatus[status]?.toLowerCase() ?? 'a_code_for_it';
  return (
    `${status} has no error code, so it is answered with 500: put ` +
    `@ApiErrors({ status: ${status}, code: '${code}', meaning, remedy }) on the operation`
  );
}

function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(loggable(error));
}
