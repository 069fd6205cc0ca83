import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { Request } from 'express';
import { shownName } from '../json/shown-name.js';
import { DEPRECATION, type Deprecation, DeprecationPolicy } from './deprecation/deprecation.js';
import { ApiException } from './errors/api-exception.js';
import { parametersOf, propertyOf } from './handlers.js';
import { unknownName } from './validation/problems.js';
import { invalidParameters } from './validation/validation.pipe.js';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** The path of an operation begins with its version. */
const OF_VERSION = /^\/v\d/;

/**
 * Rejects what a route does not take: requests to an operation that was removed, then query parameters that it does not
 * declare with `@Query('name')`. If a handler takes the whole query, the pipe validates that instead. Routes beside the
 * operations, such as `/docs`, ignore their query.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  readonly #namesTaken = new WeakMap<Handler, readonly string[] | undefined>();

  constructor(private readonly deprecations: DeprecationPolicy) {}

  canActivate(context: ExecutionContext): true {
    const handler = context.getHandler();
    const deprecation = Reflect.getMetadata(DEPRECATION, handler) as Deprecation | undefined;
    if (deprecation && this.deprecations.isGone(deprecation)) throw removed();
    const request = context.switchToHttp().getRequest<Request>();
    if (request.url.includes('?') && OF_VERSION.test(request.path))
      rejectUnknown(request.query, this.#namesTakenBy(handler, context.getClass()));
    return true;
  }

  /** The names of the query parameters that a handler takes; undefined if it takes the whole query. */
  #namesTakenBy(handler: Handler, controller: Type): readonly string[] | undefined {
    if (!this.#namesTaken.has(handler)) {
      const parameters = parametersOf(controller, propertyOf(controller, handler));
      const names = parameters.flatMap(({ kind, data }) => (kind === RouteParamtypes.QUERY ? [data] : []));
      const isNamed = names.every((name): name is string => typeof name === 'string');
      this.#namesTaken.set(handler, isNamed ? names : undefined);
    }
    return this.#namesTaken.get(handler);
  }
}

const removed = () =>
  new ApiException(
    'operation_removed',
    'This operation has been removed. The Link with rel="successor-version" leads to what replaces it.',
  );

function rejectUnknown(query: object, known: readonly string[] | undefined): void {
  const unknown = known ? Object.keys(query).filter((name) => !known.includes(name)) : [];
  if (unknown.length === 0) return;
  throw invalidParameters(
    unknown.map((name) => ({
      field: `query.${shownName(name)}`,
      code: 'unknown_field',
      message: unknownName(name, known!),
    })),
  );
}
