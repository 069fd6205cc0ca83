import type { Request } from 'express';

/** What a handler does for a request. */
export type Work = () => unknown;

/** How a request that carries an `Idempotency-Key` does its work; the guard of the route notes it. */
export const ONCE = Symbol('once');
export type OnceRequest = Request & { [ONCE]?: (work: Work) => Promise<unknown> };

/** Does the work of a request, but only once for all the times that it is sent under one key. */
export function doOnce(request: OnceRequest, work: Work): unknown {
  const once = request[ONCE];
  return once ? once(work) : work();
}
