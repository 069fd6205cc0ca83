import type { ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, Request, Response } from 'express';
import { match, type MatchFunction } from 'path-to-regexp';
import { shownName } from '../../json/shown-name.js';
import { ApiException } from '../errors/api-exception.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/** Express, which knows the methods of each path, and answers what matches no route. */
export class RoutesAdapter extends ExpressAdapter {
  readonly allowedMethods = new AllowedMethods();

  constructor(app: Application) {
    super(app);
    for (const name of [...METHODS, 'all'] as const) {
      const register = this[name].bind(this) as (...route: unknown[]) => unknown;
      this[name] = (...route: unknown[]) => {
        const [path] = route;
        for (const method of name === 'all' ? METHODS : [name])
          if (typeof path === 'string') this.allowedMethods.add(method.toUpperCase(), path);
        return register(...route);
      };
    }
  }

  /** The methods of the address of a request; none if no route has it. */
  methodsOf(request: Request): string[] {
    // `OPTIONS *` is about the server as a whole (RFC 9110 section 9.3.7).
    const isAll = request.method === 'OPTIONS' && request.url === '*';
    return this.allowedMethods.of(isAll ? undefined : request.path);
  }

  override setNotFoundHandler(): void {
    this.use((request: Request, response: Response) =>
      answerUnmatched(this.methodsOf(request), request, response),
    );
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
function answerUnmatched(methods: readonly string[], request: Request, response: Response): void {
  const { method, path } = request;
  const allow = methods.join(', ');
  // A route with this method may be for another host, or have passed the request on.
  if (allow === '' || (method !== 'OPTIONS' && methods.includes(method)))
    throw new ApiException('route_not_found');
  if (method !== 'OPTIONS') {
    const message = `${shownName(path)} has no ${method}. It has ${allow}.`;
    throw new ApiException('method_not_allowed', message, { headers: { Allow: allow } });
  }
  answerOptions(methods, response);
}

/** Answers an OPTIONS request with the methods of its address, of which an unknown address has none. */
export function answerOptions(methods: readonly string[], response: ServerResponse): void {
  response.statusCode = 204;
  if (methods.length > 0) response.setHeader('Allow', methods.join(', '));
  response.end();
}
