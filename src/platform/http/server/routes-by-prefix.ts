import { type RequestHandler, Router } from 'express';

/** The first two names of a path, such as `/v1/pets`; not of a path that has a parameter there. */
const PREFIX = /^(?:\/[\w.-]+){2}(?=\/|$)/;

const prefixOf = (path: string): string | undefined => PREFIX.exec(path)?.[0];

/**
 * Routes in one router for each prefix, found by its name: Express tries one route after the other, so that each request would
 * pay for the routes of all modules before its own.
 */
export class RoutesByPrefix {
  readonly #routers = new Map<string, Router>();

  /** The router for a route with this path; undefined if its prefix has a parameter. */
  routerOf(path: unknown): Router | undefined {
    const prefix = typeof path === 'string' ? prefixOf(path) : undefined;
    if (prefix === undefined) return undefined;
    const router = this.#routers.get(prefix) ?? Router({ strict: true, caseSensitive: true });
    this.#routers.set(prefix, router);
    return router;
  }

  /** Not named `handle`, the name by which OpenTelemetry tells Express' own handlers: it would be a span of each trace. */
  readonly middleware: RequestHandler = (request, response, next) => {
    const router = this.#routers.get(prefixOf(request.path) ?? '');
    // A router answers `OPTIONS` by itself, the service for all routes of a path.
    if (router === undefined || request.method === 'OPTIONS') next();
    else router(request, response, next);
  };
}
