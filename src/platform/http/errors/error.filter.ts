import { format } from 'node:util';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  HttpStatus,
  Logger,
} from '@nestjs/common';
import { FILTER_CATCH_EXCEPTIONS } from '@nestjs/common/constants.js';
import type { ApplicationConfig } from '@nestjs/core';
import type { Request, Response } from 'express';
import { type Observable, throwError } from 'rxjs';
import { DatabaseNotOpen, StatementFailed } from '../../database/errors.js';
import { requestLogFields } from '../../observability/logging/request-log.js';
import { type ErrorResponse, NotReady } from './api-exception.js';
import { toErrorResponse } from './error-response.js';
import { toHttpException } from './http-exception.js';
import { answerWithError } from './write-error.js';

/** How long a repeated fault is logged without its stack, but counted. */
const REPETITION_S = 10;

/** Answers everything that is thrown while a request is handled, in the Error body of the contract. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  readonly #log = new Logger('Error');
  /** When the stack of each kind of fault was logged last, and the number of faults since. */
  readonly #faults = new Map<string, { readonly since: number; count: number }>();

  catch(thrown: unknown, host: ArgumentsHost): Observable<never> | undefined {
    if (host.getType() !== 'http') return this.#passOn(thrown, host);
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = toErrorResponse(thrown);
    if (!response.headersSent) answerWithError(request, response, error);
    // A partial answer cannot be repaired: closing shows that it is incomplete. A complete one came from the deadline.
    else if (!response.writableEnded) response.destroy();
    // What keeps the service from being ready is logged once, when it happens, and not for each request or probe.
    const isLogged = thrown instanceof NotReady || thrown instanceof DatabaseNotOpen;
    if (error.status >= 500 && !isLogged) this.#report(thrown, error, response);
    return undefined;
  }

  /** A microservice waits for the result of a filter, for ever if the filter throws; elsewhere the caller reports the error. */
  #passOn(thrown: unknown, host: ArgumentsHost): Observable<never> {
    if (host.getType() !== 'rpc') throw thrown;
    const { status, message } = toErrorResponse(thrown);
    if (status >= 500) this.#log.error(loggable(thrown));
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
      if (remedy === undefined) this.#log.error(loggable(thrown), fields);
      else this.#log.error(remedy, loggable(thrown), fields);
    }
  }
}

/** The classes of which all errors of the service are, also those of routes of other modules. */
const OF_ALL: readonly unknown[] = [Error, HttpException];

/** @throws Error for an `APP_FILTER` of a module that would answer the errors of all routes, in a shape that clients do not know */
export function refuseFiltersOfAll(config: ApplicationConfig): void {
  const types = [
    ...config.getGlobalFilters().map((filter) => filter.constructor),
    ...config.getGlobalRequestFilters().map(({ metatype }) => metatype!),
  ];
  for (const type of types) {
    const caught = (Reflect.getMetadata(FILTER_CATCH_EXCEPTIONS, type) ?? []) as unknown[];
    if (type === ErrorFilter || (caught.length > 0 && !caught.some((one) => OF_ALL.includes(one)))) continue;
    throw new Error(
      `${type.name} is an APP_FILTER that catches the errors of all modules. Name those that it is for, as in ` +
        '@Catch(NoRoom), or put it on a controller with @UseFilters.',
    );
  }
}

/** An error's class and where it was thrown, or the beginning of the failed statement: nothing that clients choose. */
function kindOf(thrown: unknown): string {
  if (thrown instanceof StatementFailed) return `${thrown.reason} from ${thrown.statement.slice(0, 60)}`;
  if (!(thrown instanceof Error)) return thrown === null ? 'null' : typeof thrown;
  const { stack = '', message } = thrown;
  return `${thrown.constructor.name} ${/at .*/.exec(stack.replace(message, ''))?.[0] ?? ''}`.trim();
}

const loggable = (thrown: unknown) => (thrown instanceof Error ? thrown : format(thrown));

/** What the author of a module can do about a status that no error code has. */
function remedyOf(thrown: unknown): string | undefined {
  const status = toHttpException(thrown)?.getStatus();
  if (status === undefined || status < 400 || status === 500) return undefined;
  const code = HttpStatus[status]?.toLowerCase() ?? 'a code for it';
  return `${status} has no error code, so it is answered with 500: describe ${code} with describeErrors`;
}

function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(loggable(error));
}
