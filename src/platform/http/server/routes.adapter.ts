import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, Request, Response } from 'express';
import { match, type MatchFunction } from 'path-to-regexp';
import { shownName } from '../../json/shown-name.js';
import { ApiException } from '../errors/api-exception.js';
import { RoutesByPrefix } from './routes-by-prefix.js';

/** A path in Express' syntax, and its handler; a handler alone is for all paths. */
type Route = [path: unknown, handler?: unknown];

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head';

const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Express, which knows the methods of each path, and answers what matches no route. */
export class RoutesAdapter extends ExpressAdapter {
  readonly allowedMethods = new AllowedMethods();
  /** What was registered last, if it was routes with a prefix: others would come before what was registered between. */
  #last: RoutesByPrefix | undefined;

  override get(...route: Route): unknown {
    return this.#add('get', route);
  }

  override post(...route: Route): unknown {
    return this.#add('post', route);
  }

  override put(...route: Route): unknown {
    return this.#add('put', route);
  }

  override patch(...route: Route): unknown {
    return this.#add('patch', route);
  }

  override delete(...route: Route): unknown {
    return this.#add('delete', route);
  }

  override head(...route: Route): unknown {
    return this.#add('head', route);
  }

  override options(...route: Route): unknown {
    return super.options(...this.#noted(route, 'OPTIONS'));
  }

  override all(...route: Route): unknown {
    this.#last = undefined;
    return super.all(...this.#noted(route, ...ALL));
  }

  override use(...middleware: unknown[]): unknown {
    this.#last = undefined;
    return super.use(...(middleware as [never]));
  }

  #noted(route: Route, ...methods: string[]): [never, never] {
    const [path] = route;
    if (typeof path === 'string') for (const method of methods) this.allowedMethods.add(method, path);
    return route as unknown as [never, never];
  }

  #add(method: Method, route: Route): unknown {
    const noted = this.#noted(route, method.toUpperCase());
    const routes = this.#last ?? new RoutesByPrefix();
    const router = routes.routerOf(route[0]);
    if (router === undefined) {
      this.#last = undefined;
      return this.getInstance<Application>()[method](...noted);
    }
    if (this.#last === undefined) this.use(routes.middleware);
    this.#last = routes;
    return router[method](...noted);
  }

  override setNotFoundHandler(): void {
    this.use((request: Request, response: Response) => {
      // `OPTIONS *` is about the server as a whole (RFC 9110 section 9.3.7).
      const path = request.method === 'OPTIONS' && request.url === '*' ? undefined : request.path;
      answerUnmatched(this.allowedMethods.of(path), request, response);
    });
  }
}

/** Knows the methods of each path, from the routes that are registered. */
export class AllowedMethods {
  readonly #routes: { readonly method: string; readonly matches: MatchFunction<object> }[] = [];

  /** `path` is in Express' syntax, and matched with strict and case-sensitive routing. */
  add(method: string, path: string): void {
    this.#routes.push({ method, matches: match(path, { sensitive: true, trailing: false, decode: false }) });
  }

  /** The methods of a path, or of all routes. Express answers HEAD for each GET, the service OPTIONS for all. */
  of(path?: string): string[] {
    const routes = this.#routes.filter(({ matches }) => path === undefined || matches(path));
    const methods = new Set(routes.map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].sort();
  }
}

/**
 * Answers a request that matched no route: `OPTIONS` with 204 and `Allow` (RFC 9110 section 9.3.7), a method that the path does
 * not support with 405 and `Allow` (section 15.5.6), an unknown path with 404. `methods` are the methods of the path.
 */
export function answerUnmatched(methods: readonly string[], request: Request, response: Response): void {
  const { method, path } = request;
  const allow = methods.join(', ');
  // A route with this method may be for another host, or have passed the request on.
  if (allow === '' || (method !== 'OPTIONS' && methods.includes(method)))
    throw new ApiException('route_not_found', 'Nothing is at this address. GET / lists what is here.');
  if (method !== 'OPTIONS') {
    const message = `${shownName(path)} has no ${method}. It has ${allow}.`;
    throw new ApiException('method_not_allowed', message, { headers: { Allow: allow } });
  }
  response.statusCode = 204;
  response.setHeader('Allow', allow);
  if (response.hasHeader('Access-Control-Allow-Methods'))
    response.setHeader('Access-Control-Allow-Methods', allow);
  response.end();
}
