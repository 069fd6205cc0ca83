import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiException } from './errors/api-exception.js';
import { factsOf, type Permissions, requestOf } from './request.js';
import { readsOnlyDeclared } from './routes/route.decorators.js';

/** The client that makes a request, as its API key identifies it. */
export interface Caller {
  /** The same for all requests of a caller. For an API key it is the id that `petstore keys list` shows. */
  readonly id: string;
  /** The name that the operator gave to the key. */
  readonly name: string;
  /** What the caller may do. Undefined if it may do everything. */
  readonly scopes: readonly string[] | undefined;
}

/**
 * Stores on the request who makes it, and what the caller may do. The id must be the same for all requests of a caller. Without a name
 * the caller has its id as its name. If the permissions have no member `scopes`, `Caller.scopes` is
 * empty, and only `mayDo` decides.
 */
export function setCaller(request: Request, id: string, permissions: Permissions): void {
  const facts = factsOf(request);
  facts.callerId = id;
  facts.permissions = permissions;
}

function callerOf(request: Request): Caller | undefined {
  const { callerId: id, permissions } = factsOf(request);
  if (id === undefined) return undefined;
  const { name = id, scopes } = permissions!;
  return { id, name, scopes: 'scopes' in permissions! ? scopes : [] };
}

/**
 * On a parameter of a handler: the `Caller` of the request. It is undefined on a public route, even if the request has a key, because
 * no key is checked there.
 */
export const Caller = createParamDecorator(
  readsOnlyDeclared((_: unknown, context: ExecutionContext) => callerOf(requestOf(context))),
);

/**
 * Whether the caller has a scope. Use it in a handler that answers callers differently. It is false on public routes. If no route
 * requires the scope, the module declares the scope with `@Scopes`.
 */
export const callerMay = (request: Request, scope: string): boolean =>
  factsOf(request).permissions?.mayDo(scope) ?? false;

/** Requires a scope in a handler, if not every request of a route needs it. @throws ApiException 403 `insufficient_scope` */
export function requireScope(request: Request, scope: string): void {
  if (!callerMay(request, scope)) throw insufficientScope(scope);
}

/** RFC 6750 section 3. If a request has no credential at all, no error code follows (section 3.1). */
export const CHALLENGE = 'Bearer realm="petstore"';

const UNRESTRICTED_ONLY =
  'The API key is restricted to scopes, and none of them allows this operation. ' +
  'Ask the operator of this service for a key without restriction.';

/**
 * The error for a caller that lacks a scope (RFC 6750 section 3.1). Without a scope it is the error for a restricted caller of an
 * operation that requires no scope.
 */
export function insufficientScope(scope?: string): ApiException {
  const [message, attribute] =
    scope === undefined
      ? [UNRESTRICTED_ONLY, '']
      : [
          `The operation requires the scope ${scope}, which the API key does not have. Ask the operator of this service for a key with this scope.`,
          `, scope="${scope}"`,
        ];
  const challenge = `${CHALLENGE}, error="insufficient_scope"${attribute}`;
  return new ApiException('insufficient_scope', message, { headers: { 'WWW-Authenticate': challenge } });
}
