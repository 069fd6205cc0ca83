import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { shownName } from '../json/shown-name.js';
import { parametersOf, propertyOf } from './handlers.js';
import { invalidParameters } from './validation/validation.pipe.js';
import { unknownName } from './validation/problems.js';

/** The path of an operation begins with its version. */
const OF_VERSION = /^\/v\d/;

type Handler = ReturnType<ExecutionContext['getHandler']>;

/**
 * Rejects query parameters that the operation does not declare with `@Query('name')`. If a handler takes the whole query, the
 * pipe validates that instead. Routes beside the operations, such as `/docs`, ignore their query.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  readonly #namesTaken = new WeakMap<Handler, readonly string[] | undefined>();

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    if (!request.url.includes('?') || !OF_VERSION.test(request.path)) return true;
    const handler = context.getHandler();
    if (!this.#namesTaken.has(handler))
      this.#namesTaken.set(handler, namesTaken(context.getClass(), propertyOf(context.getClass(), handler)));
    const known = this.#namesTaken.get(handler);
    if (!known) return true;
    const unknown = Object.keys(request.query).filter((name) => !known.includes(name));
    if (unknown.length === 0) return true;
    throw invalidParameters(
      unknown.map((name) => ({
        field: `query.${shownName(name)}`,
        code: 'unknown_field',
        message: unknownName(name, known),
      })),
    );
  }
}

/** The names of the query parameters that a handler takes; undefined if it takes the whole query. */
function namesTaken(controller: Type, method: string): string[] | undefined {
  const ofQuery = parametersOf(controller, method).filter(({ kind }) => kind === RouteParamtypes.QUERY);
  const names = ofQuery.map(({ data }) => data);
  return names.every((name) => typeof name === 'string') ? names : undefined;
}
