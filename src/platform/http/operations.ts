import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, Request, Response } from 'express';
import { DeprecationInterceptor } from './deprecation/deprecated.decorator.js';
import { DEPRECATION, type Deprecation } from './deprecation/deprecation.js';
import { ROUTE_HEADERS, type SetRouteHeaders } from './errors/write-error.js';
import { Handlers, type Handler, operationNameOf, routesOf } from './handlers.js';
import { STABILITY, type StabilityLevel } from './route.decorators.js';

/** The route that matched, as Express sets it on the request. */
interface Route {
  readonly path: string;
  readonly methods: Readonly<Record<string, boolean>>;
}

/** The setting of the Express application with the `Operations`, for who has only a request. */
const OPERATIONS = 'operations';

/** What is known of the route that a request matched, in the log, in metrics and in errors that no interceptor sees. */
@Injectable()
export class Operations implements OnModuleInit {
  /** By method and path, as Express has them. */
  readonly #handlers = new Map<string, Handler>();
  readonly #names = new WeakMap<Route, string>();

  constructor(
    private readonly handlers: Handlers,
    private readonly deprecations: DeprecationInterceptor,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    for (const handler of this.handlers.all())
      for (const { method, path } of routesOf(handler))
        this.#handlers.set(`${method} /v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, handler);
    // A command has no server.
    const app = this.host.httpAdapter?.getInstance<Application>() as Application | undefined;
    app?.set(OPERATIONS, this);
    app?.set(ROUTE_HEADERS, ((request, response) =>
      this.#setHeaders(request, response as Response)) satisfies SetRouteHeaders);
  }

  /** The name of the operation of a route, otherwise the first part of its path, such as `livez` or `docs`. */
  nameOf(route: Route): string {
    let name = this.#names.get(route);
    if (name === undefined) {
      const handler = this.#handlerOf(route);
      name = handler ? operationNameOf(handler) : /^\/\.?([^/.]+)/.exec(route.path)?.[1] || 'index';
      this.#names.set(route, name);
    }
    return name;
  }

  /** The headers of all answers of a route: its stability and its deprecation. */
  #setHeaders({ route }: Request, response: Response): void {
    const handler = route && this.#handlerOf(route as Route)?.method;
    if (!handler) return;
    const stability = Reflect.getMetadata(STABILITY, handler) as StabilityLevel | undefined;
    const deprecation = Reflect.getMetadata(DEPRECATION, handler) as Deprecation | undefined;
    if (stability) response.setHeader('Stability', stability);
    if (deprecation) this.deprecations.setHeaders(response, deprecation);
  }

  #handlerOf({ path, methods }: Route): Handler | undefined {
    return this.#handlers.get(`${Object.keys(methods)[0]} ${path}`);
  }
}

/** The name of the operation that a request matched; `none` if no route did. There are only as many as routes, whatever clients ask for. */
export function operationName({ route, app }: Pick<Request, 'route' | 'app'>): string {
  const operations = route && (app.get(OPERATIONS) as Operations | undefined);
  return operations ? operations.nameOf(route as Route) : 'none';
}
