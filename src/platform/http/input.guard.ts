import { type CanActivate, type ExecutionContext, Injectable, type RawBodyRequest } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../config/settings.js';
import { shownName } from '../json/shown-name.js';
import { acceptUpload, isUpload } from './body/arriving.js';
import { BodyMemory } from './body/body-memory.js';
import { parseBody, readBody, typesOfBody } from './body/read-body.js';
import { ApiException } from './errors/api-exception.js';
import { Deprecations } from './deprecation/deprecation.js';
import type { RouteBodyLimit } from './route.decorators.js';
import { type Route, routeOf } from './routes.js';
import { unknownName } from './validation/problems.js';
import { invalidParameters } from './validation/validation.pipe.js';

/**
 * Takes in what a route declares: refuses requests to an operation that was removed, then query parameters that it does not take,
 * and reads and parses its JSON body for `@Body()` and for what a module reads through the request, with exact integers, as number
 * or bigint. It is the last of the global guards, so that the body of a client without a key is never read.
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
    const route = routeOf(request) as Route;
    const { deprecation, queryNames, takesBody, consumes, bodyLimit } = route;
    if (deprecation && this.deprecations.isGone(deprecation)) throw new ApiException('operation_removed');
    if (queryNames && request.url.includes('?')) rejectUnknown(request.query, queryNames);
    if (isUpload(request, consumes)) acceptUpload(request, this.#bytes(bodyLimit), this.memory);
    // Unless a parser of the module has read it.
    else if (request.body === undefined && (takesBody || bringsBody(request, route)))
      return this.#read(request, route);
    return true;
  }

  async #read(request: RawBodyRequest<Request>, { bodyLimit, takesBody }: Route): Promise<true> {
    const limit = this.#bytes(bodyLimit);
    const bytes = await this.memory.share(request.res!, (share) => readBody(request, limit, share));
    // A chunked body may have no bytes.
    if (bytes.length === 0 && !takesBody) return true;
    request.rawBody = bytes;
    request.body = parseBody(bytes, bodyLimit?.values);
    return true;
  }

  /** How many a route takes. */
  #bytes(limit: RouteBodyLimit | undefined): number {
    return limit?.bytes ?? this.settings.bodyLimit;
  }
}

/**
 * Whether a request has a body that a route may read without `@Body()`. What is not JSON is left to the module where it takes it in:
 * by `@ApiConsumes()`, as a file, or as a stream through `@Req()`.
 */
function bringsBody(request: Request, { mayReadAll, takesStream, consumes }: Route): boolean {
  if (!mayReadAll || request.headers['content-length'] === '0') return false;
  const json = request.is([...typesOfBody(request.method)]);
  // Null: there is no body.
  if (json !== false) return json !== null;
  return !takesStream && !consumes.some((type) => request.is(type));
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
