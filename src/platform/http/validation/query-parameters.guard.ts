import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { shownName } from '../../json/shown-name.js';
import { requestOf, routeOf } from '../request.js';
import { unknownName } from './problems.js';
import { invalidParameters } from './validation.pipe.js';

/**
 * Rejects query parameters that the operation does not have, if the route names its parameters one by one. If a class has them, the
 * pipe rejects the others.
 */
@Injectable()
export class QueryParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    if (context.getType() !== 'http') return true;
    const request = requestOf(context);
    const known = routeOf(request)?.queryNames;
    if (known && request.url.includes('?')) rejectUnknown(request.query, known);
    return true;
  }
}

function rejectUnknown(query: object, known: readonly string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw invalidParameters(
    unknown.map((name) => ({
      field: `query.${shownName(name)}`,
      code: 'unknown_field',
      message: unknownName(name, known),
    })),
  );
}
