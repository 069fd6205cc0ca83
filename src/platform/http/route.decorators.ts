import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { bytesOf } from '../config/byte-size.js';
import type { DescribedError, PlatformCode } from './errors/error-codes.js';

/** The keys of the metadata that `Routes` reads. */
export const MARKS = {
  isPublic: Symbol('public'),
  scope: Symbol('scope'),
  stability: Symbol('stability'),
  deprecation: Symbol('deprecation'),
  errors: Symbol('errors'),
  bodyLimit: Symbol('body limit'),
  readsOnlyDeclared: Symbol('reads only what is declared'),
} as const;

/** Marks a route or a controller that needs no API key; not the controllers that extend it. All others do. */
export const Public = () => SetMetadata(MARKS.isPublic, true);

/**
 * Requires a scope, an area and a verb such as `pets:read`: a key that is restricted to other scopes gets 403. Needs no other
 * registration. A route without a scope is for keys without restriction.
 */
export function RequireScope(scope: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(MARKS.scope, scope),
    ApiExtension('x-scope', scope),
    ApiErrors('insufficient_scope'),
  );
}

/** A class of a module's errors, which describes itself, a description, or a code of the platform. */
export type ApiError = DescribedError | PlatformCode;

/** Declares the errors of an operation, besides those that follow from its parameters. May be repeated. */
export function ApiErrors(...errors: ApiError[]): MethodDecorator {
  return (_, __, { value }: PropertyDescriptor) => {
    const before = (Reflect.getMetadata(MARKS.errors, value as object) ?? []) as ApiError[];
    Reflect.defineMetadata(MARKS.errors, [...before, ...errors], value as object);
  };
}

/** How stable an operation is: `experimental` ones may change or disappear without notice, `beta` ones with notice. */
export type StabilityLevel = 'experimental' | 'beta';

/** Marks an operation that is not stable: adds `Stability` to all its answers, and `x-stability` to the document. */
export function Stability(level: StabilityLevel): MethodDecorator {
  return applyDecorators(SetMetadata(MARKS.stability, level), ApiExtension('x-stability', level));
}

/** What `@BodyLimit` asks for. */
export interface RouteBodyLimit {
  /** As it was written. */
  readonly size: string;
  /** NaN if `size` is malformed, which refuses the start. */
  readonly bytes: number;
  /** The number of JSON values; absent: as for every body. */
  readonly values?: number;
}

/**
 * Bounds the body of a route, in place of `BODY_LIMIT`, above or below it: `size` is the bytes of a JSON body or an upload, such as `2mb`,
 * before and after inflating; `values` the number of values of a JSON body, in place of 20,000. Is refused at the start if the size is
 * malformed, or is more than a quarter of the heap.
 */
export function BodyLimit(size: string, { values }: { readonly values?: number } = {}): MethodDecorator {
  const limit: RouteBodyLimit = { size, bytes: bytesOf(size), ...(values !== undefined && { values }) };
  const { size: _, ...described } = limit;
  return applyDecorators(SetMetadata(MARKS.bodyLimit, limit), ApiExtension('x-body-limit', described));
}

/**
 * Around the function of a `createParamDecorator`: it reads no body, and no query parameter that the route does not declare by
 * `@Query()` or `@ApiQuery()`. A route that has another decorator of a module may take any query parameter.
 */
export function readsOnlyDeclared<Factory extends Function>(factory: Factory): Factory {
  Reflect.defineMetadata(MARKS.readsOnlyDeclared, true, factory);
  return factory;
}
