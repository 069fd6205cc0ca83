import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

export const IS_PUBLIC = Symbol('public');

/** Marks a route or controller that needs no API key. All others need one. */
export const Public = () => SetMetadata(IS_PUBLIC, true);

export const SCOPE = Symbol('scope');

/** Asks for a scope, such as `pets:read`: a key that is restricted to others is answered 403. Needs nothing else. */
export function RequireScope(scope: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(SCOPE, scope),
    ApiExtension('x-scope', scope),
    ApiErrors('insufficient_scope'),
  );
}

const API_ERRORS = Symbol('api errors');

/**
 * Names the error codes that an operation may answer with, besides those that follow from what it takes; several of these
 * add up. A module adds its own to the catalogue with `describeErrors`.
 */
export function ApiErrors(...codes: string[]): MethodDecorator {
  return (_, __, { value }: PropertyDescriptor) =>
    Reflect.defineMetadata(API_ERRORS, [...apiErrorsOf(value as object), ...codes], value as object);
}

export const apiErrorsOf = (handler: object) =>
  (Reflect.getMetadata(API_ERRORS, handler) as string[] | undefined) ?? [];

/** How far clients may rely on an operation: `experimental` ones may change or go without notice, `beta` ones with notice. */
export type StabilityLevel = 'experimental' | 'beta';

export const STABILITY = Symbol('stability');

/** Marks an operation that is not stable yet: `Stability` on all its answers, and `x-stability` in the document. */
export function Stability(level: StabilityLevel): MethodDecorator {
  return applyDecorators(SetMetadata(STABILITY, level), ApiExtension('x-stability', level));
}
