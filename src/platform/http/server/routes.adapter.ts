import type { ServerResponse } from 'node:http';
import type { RequestMethod } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, IRouterHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { shownName } from '../../json/shown-name.js';
import { ApiException } from '../errors/api-exception.js';
import { factsOf } from '../request.js';
import { AllowedMethods } from './allowed-methods.js';
import { SegmentRouters } from './segment-routers.js';

/**
 * Express with strict, case-sensitive paths. Routes cost nothing for requests to other segments, and a request that matches no
 * route gets the methods of its path. Routes of less common methods, such as SEARCH, stay with the application itself.
 */
export class RoutesAdapter extends ExpressAdapter {
  readonly #allowedMethods = new AllowedMethods();
  /** The routers of the routes that were registered last. Undefined if something else was registered behind them. */
  #routers: SegmentRouters | undefined;

  constructor(app: Application) {
    // Express copies both settings when it makes its router.
    app.enable('strict routing');
    app.enable('case sensitive routing');
    super(app);
  }

  override all(...route: unknown[]) {
    return this.#register('all', route);
  }

  override get(...route: unknown[]) {
    return this.#register('get', route);
  }

  override post(...route: unknown[]) {
    return this.#register('post', route);
  }

  override put(...route: unknown[]) {
    return this.#register('put', route);
  }

  override patch(...route: unknown[]) {
    return this.#register('patch', route);
  }

  override delete(...route: unknown[]) {
    return this.#register('delete', route);
  }

  override head(...route: unknown[]) {
    return this.#register('head', route);
  }

  override options(...route: unknown[]) {
    return this.#register('options', route);
  }

  override use(...layer: unknown[]) {
    this.#routers = undefined;
    return super.use(...layer) as unknown;
  }

  override createMiddlewareFactory(method: RequestMethod) {
    this.#routers = undefined;
    return super.createMiddlewareFactory(method);
  }

  /** The caller may register something with the application. The routes that follow come behind that. */
  override getInstance<Instance = Application>(): Instance {
    this.#routers = undefined;
    return super.getInstance<Instance>();
  }

  /** The methods of the path of a request, as `Allow` lists them. Empty if no route has this path. */
  methodsOf(request: Request): Promise<readonly string[]> {
    return (factsOf(request).methods ??= this.#findMethods(request));
  }

  async #findMethods({ method, url, path }: Request): Promise<readonly string[]> {
    // `OPTIONS *` is about the server as a whole (RFC 9110 section 9.3.7).
    return method === 'OPTIONS' && url === '*' ? this.#allowedMethods.ofAll() : this.#allowedMethods.of(path);
  }

  override setNotFoundHandler(): void {
    this.use(async (request: Request, response: Response) =>
      answerUnmatched(await this.methodsOf(request), request, response),
    );
  }

  #register(verb: string, [path, ...handlers]: unknown[]): void {
    this.#allowedMethods.add(verb, path);
    this.#routers ??= this.#useRouters();
    this.#routers.add(path, (router) => {
      const route = router.route(path as string);
      const add = (name: string, ...added: unknown[]) =>
        (route as unknown as Record<string, IRouterHandler<unknown>>)[name]!(...(added as RequestHandler[]));
      add(verb, ...handlers);
      // Express itself would answer OPTIONS at the end of a router that has a route for another method.
      if (verb !== 'all' && verb !== 'options') route.options(passOn);
    });
  }

  #useRouters(): SegmentRouters {
    const routers = new SegmentRouters();
    super.use(((request, response, next) =>
      routers.of(request.path)(request, response, next)) satisfies RequestHandler);
    return routers;
  }
}

const passOn = (_request: Request, _response: Response, next: NextFunction) => next();

/**
 * Answers a request that matched no route. `OPTIONS` returns 204 with `Allow` (RFC 9110 section 9.3.7). A method that the path does
 * not support returns 405 with `Allow` (section 15.5.6). An unknown path returns 404. `methods` are the methods of the path.
 */
function answerUnmatched(methods: readonly string[], request: Request, response: Response): void {
  const { method, path } = request;
  const allow = methods.join(', ');
  // A route with this method may be for another host, or may have passed the request on.
  if (allow === '' || (method !== 'OPTIONS' && methods.includes(method)))
    throw new ApiException('route_not_found');
  if (method !== 'OPTIONS') {
    const message = `${shownName(path)} has no ${method}. It has ${allow}.`;
    throw new ApiException('method_not_allowed', message, { headers: { Allow: allow } });
  }
  answerOptions(methods, response);
}

/** Answers an OPTIONS request with the methods of its path. An unknown path has none. */
export function answerOptions(methods: readonly string[], response: ServerResponse): void {
  response.statusCode = 204;
  if (methods.length > 0) response.setHeader('Allow', methods.join(', '));
  response.end();
}
