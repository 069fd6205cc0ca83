import { type CanActivate, type ExecutionContext, Injectable, type RawBodyRequest } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../config/settings.js';
import { shownName } from '../json/shown-name.js';
import { acceptUpload, isUpload } from './body/arriving.js';
import { BodyMemory } from './body/body-memory.js';
import { parseBody, readBody } from './body/read-body.js';
import { ApiException } from './errors/api-exception.js';
import { Deprecations } from './deprecation/deprecation.js';
import type { RouteBodyLimit } from './route.decorators.js';
import { type Route, routeOf } from './routes.js';
import { unknownName } from './validation/problems.js';
import { invalidParameters } from './validation/validation.pipe.js';

/**
 * Takes in what a route declares: refuses requests to an operation that was removed, then query parameters that it does not take,
 * and reads and parses its JSON body for `@Body()`, with exact integers, as number or bigint. It is the last of the global guards, so that the
 * body of a client without a key is never read.
 */
@Injectable()
export class InputGuard implements CanActivate {
  constructor(
    private readonly deprecations: Deprecations,
    private readonly settings: Settings,
    private readonly memory: BodyMemory,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<RawBodyRequest<Request>>();
    const { deprecation, queryNames, takesBody, consumes, bodyLimit } = routeOf(request) as Route;
    if (deprecation && this.deprecations.isGone(deprecation)) throw new ApiException('operation_removed');
    if (queryNames && request.url.includes('?')) rejectUnknown(request.query, queryNames);
    if (isUpload(request, consumes)) acceptUpload(request, this.#bytes(bodyLimit), this.memory);
    // Unless a parser of the module has read it.
    else if (takesBody && request.body === undefined) return this.#read(request, bodyLimit);
    return true;
  }

  async #read(request: RawBodyRequest<Request>, limit: RouteBodyLimit | undefined): Promise<true> {
    const bytes = this.#bytes(limit);
    request.rawBody = await this.memory.share(request.res!, (share) => readBody(request, bytes, share));
    request.body = parseBody(request.rawBody, limit?.values);
    return true;
  }

  /** How many a route takes. */
  #bytes(limit: RouteBodyLimit | undefined): number {
    return limit?.bytes ?? this.settings.bodyLimit;
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
