import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiException } from './errors/api-exception.js';
import { readsOnlyDeclared } from './route.decorators.js';

/** Who makes a request. */
export interface Caller {
  /** The same for all requests of a caller. That of an API key is its id in `petstore keys list`. */
  readonly id: string;
  /** The name that the operator gave to the key. */
  readonly name: string;
  /** What the caller may do; undefined if it may do everything. */
  readonly scopes: readonly string[] | undefined;
}

/** What a guard knows of a caller besides its id; an API key is one. */
interface Permissions extends Partial<Omit<Caller, 'id'>> {
  mayDo(scope: string): boolean;
}

const CALLER = Symbol('caller');

type WithCaller = Request & { [CALLER]?: { readonly id: string; readonly permissions: Permissions } };

/**
 * Stores on the request who makes it, by an id that is the same for all requests of a caller, and what it may do. Without a name
 * the caller has its id as its name. Without `scopes` it is not said to be unrestricted: the list of its scopes is empty, and
 * `mayDo` decides.
 */
export function setCaller(request: Request, id: string, permissions: Permissions): void {
  (request as WithCaller)[CALLER] = { id, permissions };
}

/** The id of the caller; undefined on public routes. */
export const callerId = (request: Request): string | undefined => (request as WithCaller)[CALLER]?.id;

function callerOf(request: Request): Caller | undefined {
  const known = (request as WithCaller)[CALLER];
  if (!known) return undefined;
  const { id, permissions } = known;
  return { id, name: permissions.name ?? id, scopes: 'scopes' in permissions ? permissions.scopes : [] };
}

/**
 * On a parameter of a handler: who makes the request, as a `Caller`. It is undefined on a public route, also for a request that
 * brings a key, because no key is checked there.
 */
export const Caller = createParamDecorator(
  readsOnlyDeclared((_: unknown, context: ExecutionContext) =>
    callerOf(context.switchToHttp().getRequest<Request>()),
  ),
);

/**
 * Whether the caller has a scope, for a handler that answers callers differently; false on public routes. The module declares a
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

const UNRESTRICTED_ONLY =
  'The API key is restricted to scopes, and none of them allows this operation. ' +
  'Ask the operator of this service for a key without restriction.';

/** Refuses a caller that lacks a scope, or one that is restricted, where the operation has no scope (RFC 6750 section 3.1). */
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
