import { type CanActivate, type ExecutionContext, Injectable, type RawBodyRequest } from '@nestjs/common';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { requestOf, routeOf } from '../request.js';
import type { RouteBodyLimit } from '../routes/route.decorators.js';
import type { Route } from '../routes/routes.js';
import { acceptUpload, isUpload } from './arriving.js';
import { BodyMemory } from './body-memory.js';
import { jsonTypesOf, parseBody, readBody, typesOfBody } from './read-body.js';

/** `application/json`, and types such as `application/cloudevents+json` (RFC 6839 section 3.1). */
const JSON_OF_ANY_KIND = ['json', '+json'];

/**
 * Reads and parses the JSON body of a request, for `@Body()` and for code of a module that reads the body through the request. It
 * comes last, so the body of a request that a guard of the service rejects is never read.
 */
@Injectable()
export class BodyReader implements CanActivate {
  constructor(
    private readonly settings: Settings,
    private readonly memory: BodyMemory,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (context.getType() !== 'http') return true;
    const request = requestOf<RawBodyRequest<Request>>(context);
    const route = routeOf(request) as Route;
    const { takesBody, consumes, bodyLimit } = route;
    if (isUpload(request, consumes)) acceptUpload(request, this.#bytes(bodyLimit), this.memory);
    // A parser of the module may have read the body before.
    else if (request.body === undefined && (takesBody || hasReadableBody(request, route)))
      return this.#read(request, route);
    return true;
  }

  async #read(request: RawBodyRequest<Request>, { bodyLimit, takesBody, consumes }: Route): Promise<true> {
    const limit = this.#bytes(bodyLimit);
    const types = typesOfBody(consumes, request.method);
    const bytes = await this.memory.share(request.res!, (share) => readBody(request, types, limit, share));
    // A chunked body may have no bytes.
    if (bytes.length === 0 && !takesBody) return true;
    request.rawBody = bytes;
    // Only `@RawBody()` can take a declared type that is not JSON.
    if (consumes.length === 0 || request.is(JSON_OF_ANY_KIND) !== false)
      request.body = parseBody(bytes, bodyLimit?.values);
    return true;
  }

  /** The number of bytes that a body of the route may have. */
  #bytes(limit: RouteBodyLimit | undefined): number {
    return limit?.bytes ?? this.settings.bodyLimit;
  }
}

/**
 * Whether a request has a body that a route without `@Body()` may read. A body that is not JSON is left to a module that takes it: by
 * `@ApiConsumes()`, as a file, or as a stream through `@Req()`.
 */
function hasReadableBody(request: Request, { mayReadAll, takesStream, consumes }: Route): boolean {
  if (!mayReadAll || request.headers['content-length'] === '0') return false;
  const json = request.is(jsonTypesOf(request.method));
  // Null means that the request does not have a body.
  if (json !== false) return json !== null;
  return !takesStream && !consumes.some((type) => request.is(type));
}
