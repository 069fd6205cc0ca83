import type { NextFunction, Request, Response } from 'express';
import { SegmentRouters } from './segment-routers.js';

/** The methods that a route for all methods has in `Allow`. */
const METHODS_OF_ALL = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** What a router of Express needs of a request, and the methods that its handlers have found. */
type Question = Pick<Request, 'url' | 'method'> & { readonly found: Set<string> };

/** Finds the methods of a path. Its routers have a handler for each path of a route, so Express itself matches the paths. */
export class AllowedMethods {
  readonly #methodsByPath = new Map<unknown, Set<string>>();
  readonly #routers = new SegmentRouters();

  /** `verb` is a method in lower case, or `all`. The path is in the syntax of Express. */
  add(verb: string, path: unknown): void {
    const methods = this.#methodsByPath.get(path) ?? this.#addPath(path);
    for (const method of verb === 'all' ? METHODS_OF_ALL : [verb.toUpperCase()]) methods.add(method);
  }

  /** The methods of a path, as `Allow` lists them. Empty if no route matches. */
  of(path: string): Promise<string[]> {
    const url = decodable(path);
    const found = new Set<string>();
    const question: Question = { url, method: 'GET', found };
    return new Promise((resolve) => {
      this.#routers.of(url)(question as Question & Request, {} as Response, () => resolve(listOf(found)));
    });
  }

  /** The methods of all paths. */
  ofAll(): string[] {
    return listOf(new Set([...this.#methodsByPath.values()].flatMap((methods) => [...methods])));
  }

  #addPath(path: unknown): Set<string> {
    const methods = new Set<string>();
    const note = (question: Request, _: Response, next: NextFunction) => {
      for (const method of methods) (question as Question & Request).found.add(method);
      next();
    };
    this.#methodsByPath.set(path, methods);
    this.#routers.add(path, (router) => router.all(path as string, note));
    return methods;
  }
}

/** Express answers HEAD for each GET, and the service answers OPTIONS for all paths. */
function listOf(methods: ReadonlySet<string>): string[] {
  if (methods.size === 0) return [];
  const implied = methods.has('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
  return [...new Set([...methods, ...implied])].sort();
}

/** A path that matches the same routes. Express matches no path that it cannot decode. */
function decodable(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}
