import type { Request } from 'express';
import { ApiException } from './errors/api-exception.js';

const CALLER_ID = Symbol('caller id');
const PERMISSIONS = Symbol('permissions');

/** What a caller may do; an API key is one. */
interface Permissions {
  mayDo(scope: string): boolean;
}

type WithCaller = Request & { [CALLER_ID]?: string; [PERMISSIONS]?: Permissions };

/** Stores on the request who makes it, as an id that stays the same for all requests of a caller. */
export function setCallerId(request: Request, id: string): void {
  (request as WithCaller)[CALLER_ID] = id;
}

/** The id of the caller; undefined on public routes. */
export function callerId(request: Request): string | undefined {
  return (request as WithCaller)[CALLER_ID];
}

/** Stores on the request what its caller may do. */
export function setPermissions(request: Request, permissions: Permissions): void {
  (request as WithCaller)[PERMISSIONS] = permissions;
}

/**
 * Whether the caller has a scope, for a handler that answers them differently; false on public routes. The module declares a
 * scope that no route requires with `@Scopes`.
 */
export function callerMay(request: Request, scope: string): boolean {
  return (request as WithCaller)[PERMISSIONS]?.mayDo(scope) ?? false;
}

/** Requires a scope in a handler, where not every request of a route needs it. @throws ApiException 403 `insufficient_scope` */
export function requireScope(request: Request, scope: string): void {
  if (!callerMay(request, scope)) throw insufficientScope(scope);
}

/** RFC 6750 section 3.1: no error code for a request that brought no credential at all. */
export const CHALLENGE = 'Bearer realm="petstore"';

export function insufficientScope(scope: string): ApiException {
  const message = `The API key may not do this. Ask the operator of this service for one with the scope ${scope}.`;
  const challenge = `${CHALLENGE}, error="insufficient_scope", scope="${scope}"`;
  return new ApiException('insufficient_scope', message, { headers: { 'WWW-Authenticate': challenge } });
}
