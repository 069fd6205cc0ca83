import { IncomingMessage, type ServerResponse } from 'node:http';
import { type ArgumentsHost, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { AnsweredRequest } from '../observability/requests.js';
import { traceIdOf } from '../observability/trace-context.js';
import type { BaseAddress } from './base-address.js';
import { readsOnlyDeclared } from './routes/route.decorators.js';
import type { Route } from './routes/routes.js';
import { isWithoutContent } from './server/send-json.js';

/** The route that a request matched. Only the name of a page of the site is known. */
type MatchedRoute = Pick<Route, 'operation'> & Partial<Route>;

/** What a guard knows about a caller besides its id. An API key has these members. */
export interface Permissions {
  readonly name?: string;
  readonly scopes?: readonly string[] | undefined;
  mayDo(scope: string): boolean;
}

/** What the service knows about one request. Everything else reads the facts from here. */
class RequestFacts {
  /** `X-Request-Id` of the response. The server writes it when the request is the first one of its connection. */
  id: string | undefined = undefined;
  /**
   * When the request became the first one of its connection, in ms of `performance.now()`. Until then, when it arrived. The server
   * writes it.
   */
  start = performance.now();
  /** Written by `RouteRecorder`, and by the pages of the site. Undefined if no route matches, or if the request was rejected before. */
  route: MatchedRoute | undefined = undefined;
  /** Written by `setCaller`. Undefined on public routes. */
  callerId: string | undefined = undefined;
  /** What the caller may do. Written by `setCaller`. */
  permissions: Permissions | undefined = undefined;
  /** The methods of the path, as `Allow` lists them. `RoutesAdapter` writes them when something asks for them. */
  methods: Promise<readonly string[]> | undefined = undefined;
  /** The base URL of the links in the response. `Links` writes it when the first link is made. */
  base: BaseAddress | undefined = undefined;
}

/** A request that has its facts from the beginning, so that all requests have the same shape. */
export class ApiRequest extends IncomingMessage {
  facts: RequestFacts | undefined = new RequestFacts();
}

/** The request of an HTTP call. It costs less than Nest's `switchToHttp()`, which makes three functions each time. */
export const requestOf = <Kind extends Request = Request>(context: ArgumentsHost): Kind =>
  context.getArgByIndex<Kind>(0);

/** The facts of a request. A request of another server than ours, such as a test may start, gets them here. */
export const factsOf = (request: IncomingMessage): RequestFacts =>
  ((request as ApiRequest).facts ??= new RequestFacts());

/** The route that a request matched. Undefined if no route matches, or if the request was rejected before. */
export const routeOf = (request: IncomingMessage): MatchedRoute | undefined => factsOf(request).route;

/** What the log and the metrics report about a request whose response has this status. */
export function answeredRequest(response: ServerResponse, status = response.statusCode): AnsweredRequest {
  const request = response.req as Request;
  const { id, start, route, callerId } = factsOf(request);
  const hasContent = request.method !== 'HEAD' && !isWithoutContent(status);
  return {
    requestId: id,
    traceId: traceIdOf(request),
    keyId: callerId,
    client: clientOf(request),
    operation: route?.operation ?? 'none',
    method: request.method,
    status,
    duration: Math.round((performance.now() - start) * 100) / 100,
    bytes: hasContent ? Number(response.getHeader('Content-Length') ?? 0) : 0,
  };
}

/** Without `X-Forwarded-For` the client is always the peer. Express parses the header each time it is asked for `ip`. */
const clientOf = (request: Request): string | undefined =>
  request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip;

/**
 * On a parameter of a handler: what the given pipe makes of the request. So a handler asks for what it needs, and does not depend on
 * the request.
 */
export const FromRequest = createParamDecorator(
  readsOnlyDeclared((_: unknown, context: ExecutionContext) => requestOf(context)),
);
