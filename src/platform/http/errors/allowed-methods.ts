import { match, type MatchFunction } from 'path-to-regexp';

/** Knows which methods each path has, from the routes as they are registered. */
export class AllowedMethods {
  readonly #routes: { readonly method: string; readonly matches: MatchFunction<object> }[] = [];

  /** `path` as Express writes it; it is matched as Express does with strict and case-sensitive routing. */
  add(method: string, path: string): void {
    this.#routes.push({ method, matches: match(path, { sensitive: true, trailing: false, decode: false }) });
  }

  /** Of all routes together. */
  all(): string[] {
    return sorted(this.#routes);
  }

  /** Of the routes that a path leads to. */
  of(path: string): string[] {
    return sorted(this.#routes.filter(({ matches }) => matches(path)));
  }
}

/** Express answers HEAD where there is GET, and the service OPTIONS wherever there is anything. */
function sorted(routes: readonly { readonly method: string }[]): string[] {
  const methods = new Set(routes.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods].sort();
}
