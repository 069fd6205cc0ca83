import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { shownName } from '../json/shown-name.js';
import { DeprecationPolicy } from './deprecation/deprecation.js';
import { ApiException } from './errors/api-exception.js';
import { factsOf } from './route-facts.js';
import { unknownName } from './validation/problems.js';
import { invalidParameters } from './validation/validation.pipe.js';

/** The path of an operation begins with its version. */
const OF_VERSION = /^\/v\d/;

/**
 * Rejects what a route does not take: requests to an operation that was removed, then query parameters that it does not
 * declare with `@Query('name')`. If a handler takes the whole query, the pipe validates that instead. Routes beside the
 * operations, such as `/docs`, ignore their query.
 */
@Injectable()
export class RouteGuard implements CanActivate {
  constructor(private readonly deprecations: DeprecationPolicy) {}

  canActivate(context: ExecutionContext): true {
    const { deprecation, queryNames } = factsOf(context);
    if (deprecation && this.deprecations.isGone(deprecation)) throw removed();
    const request = context.switchToHttp().getRequest<Request>();
    if (request.url.includes('?') && OF_VERSION.test(request.path)) rejectUnknown(request.query, queryNames);
    return true;
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
