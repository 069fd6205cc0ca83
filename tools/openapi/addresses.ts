import type { Route } from '../../src/platform/http/routes/routes.js';

/** The method and the path of an operation in the OpenAPI document. */
interface Address {
  /** In lower case. */
  readonly method: string;
  /** Relative to the base URL, with parameters in braces. */
  readonly path: string;
}

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;

/**
 * Finds the route of an operation of the document by its name. If a route has several paths or methods, @nestjs/swagger adds an
 * index or the method to the end of the name.
 */
export function routesByName(routes: readonly Route[]) {
  const named = new Map(routes.map((route) => [route.operation, route]));
  return (name: string, method: string): Route | undefined =>
    named.get(name) ?? named.get(name.replace(new RegExp(`\\[\\d+\\]$|_${method}$`), ''));
}

/** The addresses of each route in the document. A route that is left out of the document, or has another version, has none. */
export function addressesIn(paths: Paths, routes: readonly Route[]): Map<Route, Address[]> {
  const routeOf = routesByName(routes);
  const addresses = new Map<Route, Address[]>(routes.map((route) => [route, []]));
  for (const [path, item] of Object.entries(paths))
    for (const [method, { operationId = '' }] of Object.entries(item)) {
      const route = routeOf(operationId, method);
      if (route) addresses.get(route)!.push({ method, path });
    }
  return addresses;
}
