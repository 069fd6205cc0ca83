import type { Request } from 'express';
import { ApiException } from './errors/api-exception.js';

/** What a caller may do; an API key is one. */
interface Permissions {
  mayDo(scope: string): boolean;
}

const CALLER = Symbol('caller');

type WithCaller = Request & { [CALLER]?: { readonly id: string; readonly permissions: Permissions } };

/** Stores on the request who makes it, by an id that is the same for all requests of a caller, and what it may do. */
export function setCaller(request: Request, id: string, permissions: Permissions): void {
  (request as WithCaller)[CALLER] = { id, permissions };
}

/** The id of the caller; undefined on public routes. */
export const callerId = (request: Request): string | undefined => (request as WithCaller)[CALLER]?.id;

/**
 * Whether the caller has a scope, for a handler that answers them differently; false on public routes. The module declares a
 * scope that no route requires with `@Scopes`.
 */
export const callerMay = (request: Request, scope: string): boolean =>
  (request as WithCaller)[CALLER]?.permissions.mayDo(scope) ?? false;

/** Requires a scope in a handler, where not every request of a route needs it. @throws ApiException 403 `insufficient_scope` */
export function requireScope(request: Request, scope: string): void {
  if (!callerMay(request, scope)) throw insufficientScope(scope);
}

/** RFC 6750 section 3; no error code follows where a request brought no credential at all (section 3.1). */
export const CHALLENGE = 'Bearer realm="petstore"';

export function insufficientScope(scope: string): ApiException {
  const message = `The API key may not do this. Ask the operator of this service for one with the scope ${scope}.`;
  const challenge = `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`;
  return new ApiException('insufficient_scope', message, { headers: { 'WWW-Authenticate': challenge } });
}
