import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { bytesOf } from '../../config/byte-size.js';
import type { DescribedError, PlatformCode } from '../errors/error-codes.js';

/** The keys of the metadata that `Routes` reads. */
export const MARKS = {
  isPublic: Symbol('public'),
  scope: Symbol('scope'),
  stability: Symbol('stability'),
  deprecation: Symbol('deprecation'),
  errors: Symbol('errors'),
  bodyLimit: Symbol('body limit'),
  readsOnlyDeclared: Symbol('reads only what is declared'),
  sentHeaders: Symbol('sent headers'),
} as const;

/** Marks a route or a controller that does not require an API key. A controller that extends it requires a key again. */
export const Public = () => SetMetadata(MARKS.isPublic, true);

/**
 * Requires a scope, which is an area and a verb, such as `pets:read`. A key that is restricted to other scopes gets 403. A scope does not
 * need to be registered. A route without a scope accepts only keys without restriction.
 */
export function RequireScope(scope: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(MARKS.scope, scope),
    ApiExtension('x-scope', scope),
    ApiErrors('insufficient_scope'),
  );
}

/** The class of an error of a module, which describes itself, or a description, or a code of the platform. */
export type ApiError = DescribedError | PlatformCode;

/** Declares the errors of an operation, in addition to the errors that follow from its parameters. May be repeated. */
export function ApiErrors(...errors: ApiError[]): MethodDecorator {
  return (_, __, { value }: PropertyDescriptor) => {
    const before = (Reflect.getMetadata(MARKS.errors, value as object) ?? []) as ApiError[];
    Reflect.defineMetadata(MARKS.errors, [...before, ...errors], value as object);
  };
}

/** An `experimental` operation may change or disappear without notice, and a `beta` operation with notice. */
export type StabilityLevel = 'experimental' | 'beta';

/** Marks an operation that is not stable. Adds `Stability` to its responses, and `x-stability` to the OpenAPI document. */
export function Stability(level: StabilityLevel): MethodDecorator {
  return applyDecorators(SetMetadata(MARKS.stability, level), ApiExtension('x-stability', level));
}

/** The limits that `@BodyLimit` sets. */
export interface RouteBodyLimit {
  /** The text in the decorator. */
  readonly size: string;
  /** NaN if `size` is malformed. Then the service does not start. */
  readonly bytes: number;
  /** The number of JSON values. If it is absent, the limit of all bodies applies. */
  readonly values?: number;
}

/**
 * Limits the body of a route. `size` replaces `BODY_LIMIT`, and may be larger or smaller. It is the bytes of a JSON body or an upload,
 * such as `2mb`, before and after inflating. `values` is the number of values in a JSON body, in place of 20,000. The service does not
 * start if the size is malformed, or more than a quarter of the heap.
 */
export function BodyLimit(size: string, { values }: { readonly values?: number } = {}): MethodDecorator {
  const limit: RouteBodyLimit = { size, bytes: bytesOf(size), ...(values !== undefined && { values }) };
  const { size: _, ...described } = limit;
  return applyDecorators(SetMetadata(MARKS.bodyLimit, limit), ApiExtension('x-body-limit', described));
}

/**
 * Wraps the function of a `createParamDecorator`. Declares that it does not read the body, and only reads query parameters that the route
 * declares with `@Query()` or `@ApiQuery()`. A route that has another decorator of a module accepts any query parameter.
 */
export function readsOnlyDeclared<Factory extends Function>(factory: Factory): Factory {
  Reflect.defineMetadata(MARKS.readsOnlyDeclared, true, factory);
  return factory;
}

/** Headers by name, with their descriptions. Every such response has a header that is `required`. */
export type HeaderNotes = Readonly<Record<string, { description: string; required?: boolean }>>;

/** Documents a header of the successful response of a handler, which the decorator of a parameter lets the handler set. */
export function SentHeader(name: string, note: HeaderNotes[string]): MethodDecorator {
  return (_, __, { value }: PropertyDescriptor) => {
    const others = Reflect.getMetadata(MARKS.sentHeaders, value as object) as HeaderNotes | undefined;
    Reflect.defineMetadata(MARKS.sentHeaders, { ...others, [name]: note }, value as object);
  };
}

/** Combines the decorator of a parameter with decorators of its handler, which describe the parameter in the OpenAPI document. */
export const documentedParameter =
  (parameter: ParameterDecorator, ...ofHandler: MethodDecorator[]): ParameterDecorator =>
  (controller, handler, index) => {
    parameter(controller, handler, index);
    const method = Object.getOwnPropertyDescriptor(controller, handler!)!;
    for (const decorate of ofHandler) decorate(controller, handler!, method);
  };
