import { Router } from 'express';
import { versionOf } from '../../config/base-path.js';

type AddRoute = (router: Router) => void;

/**
 * Routers of Express, one for each first segment of a path behind its version. A request is matched against the routes of its own
 * segment only, so the number of modules does not matter. Each router has its routes in the order of registration.
 */
export class SegmentRouters {
  readonly #bySegment = new Map<string, Router>();
  /** For paths that begin with any other segment. */
  readonly #ofOthers = newRouter();
  /** The routes that match more than one first segment. All routers have them. */
  readonly #ofAll: AddRoute[] = [];

  /** Adds a route with this path, which is in the syntax of Express, by calling `addTo` with each router that needs the route. */
  add(path: unknown, addTo: AddRoute): void {
    const segment = onlySegmentOf(path);
    if (segment === undefined) {
      this.#ofAll.push(addTo);
      for (const router of [this.#ofOthers, ...this.#bySegment.values()]) addTo(router);
    } else addTo(this.#bySegment.get(segment) ?? this.#addRouter(segment));
  }

  /** The router that has all routes that may match the path of a request. */
  of(path: string): Router {
    return this.#bySegment.get(firstSegmentOf(path)) ?? this.#ofOthers;
  }

  #addRouter(segment: string): Router {
    const router = newRouter();
    for (const addTo of this.#ofAll) addTo(router);
    this.#bySegment.set(segment, router);
    return router;
  }
}

/** With the settings of the application in `RoutesAdapter`. */
const newRouter = () => Router({ strict: true, caseSensitive: true });

/** The segment behind the version. Empty if the path ends there. */
function firstSegmentOf(path: string): string {
  const begin = versionOf(path).length + 1;
  const end = path.indexOf('/', begin);
  return path.slice(begin, end < 0 ? undefined : end);
}

/** The first segment of each path that a route matches. Undefined if the paths that it matches begin with different segments. */
function onlySegmentOf(path: unknown): string | undefined {
  // Express also accepts regular expressions and lists. A text without a slash is a parameter or a wildcard.
  if (typeof path !== 'string' || !path.startsWith('/')) return undefined;
  const segment = firstSegmentOf(path);
  return NOT_LITERAL.test(versionOf(path) + segment) ? undefined : segment;
}

/** The characters with which a parameter, a wildcard, an optional group or an escape begins or ends. */
const NOT_LITERAL = /[:*{}\\]/;
