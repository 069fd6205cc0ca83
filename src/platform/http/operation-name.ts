import type { OpenAPIObject } from '@nestjs/swagger';

/** The route that matched, as Express sets it on the request. */
interface Route {
  readonly path: string;
  readonly methods: Readonly<Record<string, boolean>>;
}

const documented = new Map<string, string>();
const names = new WeakMap<Route, string>();

/** Gives operations the names that they have in the document. */
export function nameOperations({ paths }: OpenAPIObject): void {
  for (const [path, item] of Object.entries(paths)) {
    const routePath = `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    for (const [method, operation] of Object.entries(item as Record<string, { operationId?: string }>)) {
      if (operation.operationId) documented.set(`${method} ${routePath}`, operation.operationId);
    }
  }
}

/**
 * The name of the operation that a request matched: as in the document, otherwise the first part of the path, such as `livez`
 * or `docs`; `none` if no route matched. There are only as many names as routes, whatever clients ask for.
 */
export function operationName({ route }: { readonly route?: Route }): string {
  if (!route) return 'none';
  let name = names.get(route);
  if (name === undefined) names.set(route, (name = nameOf(route)));
  return name;
}

function nameOf({ path, methods }: Route): string {
  const [method] = Object.keys(methods);
  return documented.get(`${method} ${path}`) ?? (/^\/\.?([^/.]+)/.exec(path)?.[1] || 'index');
}
