import { applyDecorators, Header, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { DescribedError, PlatformCode } from './errors/error-codes.js';

export const IS_PUBLIC = Symbol('public');

/** Marks a route or a controller that needs no API key. All others do. */
export const Public = () => SetMetadata(IS_PUBLIC, true);

export const SCOPE = Symbol('scope');

/**
 * Requires a scope, an area and a verb such as `pets:read`: a key restricted to other scopes gets 403. Needs no other
 * registration.
 */
export function RequireScope(scope: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(SCOPE, scope),
    ApiExtension('x-scope', scope),
    ApiErrors('insufficient_scope'),
  );
}

const API_ERRORS = Symbol('api errors');

/**
 * Declares the errors of an operation, besides those that follow from its parameters: classes of a module's errors, which describe
 * themselves, descriptions, and codes of the platform. May be repeated.
 */
export function ApiErrors(...errors: ApiError[]): MethodDecorator {
  return (_, __, { value }: PropertyDescriptor) =>
    Reflect.defineMetadata(API_ERRORS, [...apiErrorsOf(value as object), ...errors], value as object);
}

export type ApiError = DescribedError | PlatformCode;

export const apiErrorsOf = (handler: object) =>
  (Reflect.getMetadata(API_ERRORS, handler) as ApiError[] | undefined) ?? [];

/** How stable an operation is: `experimental` ones may change or disappear without notice, `beta` ones with notice. */
export type StabilityLevel = 'experimental' | 'beta';

export const STABILITY = Symbol('stability');

/** Marks an operation that is not stable: adds `Stability` to all its answers, and `x-stability` to the document. */
export function Stability(level: StabilityLevel): MethodDecorator {
  return applyDecorators(
    SetMetadata(STABILITY, level),
    Header('Stability', level),
    ApiExtension('x-stability', level),
  );
}
