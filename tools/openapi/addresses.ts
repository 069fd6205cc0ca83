import type { Route } from '../../src/platform/http/routes.js';

/** Where the document has an operation. */
interface Address {
  /** In lower case. */
  readonly method: string;
  /** Below the base address, with parameters in braces. */
  readonly path: string;
}

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;

/**
 * Finds the route of an operation of the document by its name. Where a route has several paths or methods, @nestjs/swagger tells
 * them apart by an index or by the method at the end of the name.
 */
export function routesByName(routes: readonly Route[]) {
  const named = new Map(routes.map((route) => [route.operation, route]));
  return (name: string, method: string): Route | undefined =>
    named.get(name) ?? named.get(name.replace(new RegExp(`\\[\\d+\\]$|_${method}$`), ''));
}

/** Where the document has each route; a route that is left out of it, or is of another version, is nowhere. */
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
