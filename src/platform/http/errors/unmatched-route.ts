import type { Application, Request, Response } from 'express';
import { HttpRefusal } from './http-refusal.js';

/** The parts of Express' router that tell which methods a path has. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/**
 * Answers a request that no route took: `OPTIONS` with 204 and `Allow` (RFC 9110 section 9.3.7), another method that the
 * path does not have with 405 and `Allow` (section 15.5.6), an unknown path with 404.
 */
export function answerUnmatched(app: Application, request: Request, response: Response): void {
  const allow = methodsOf(app, request.path).join(', ');
  if (allow === '')
    throw new HttpRefusal('route_not_found', 'Nothing is at this address. GET / lists what is here.');
  if (request.method !== 'OPTIONS') {
    throw new HttpRefusal(
      'method_not_allowed',
      `${request.path} has no ${request.method}. It has ${allow}.`,
      {
        headers: { Allow: allow },
      },
    );
  }
  response.statusCode = 204;
  response.setHeader('Allow', allow);
  if (response.hasHeader('Access-Control-Allow-Methods'))
    response.setHeader('Access-Control-Allow-Methods', allow);
  response.end();
}

function methodsOf(app: Application, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of app.router.stack as unknown as Layer[]) {
    if (!layer.route || !layer.match(path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods].sort();
}
