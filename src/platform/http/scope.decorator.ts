import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { ApiErrors } from './document/api-errors.decorator.js';

/** The metadata of a handler that asks for a scope. */
export const SCOPE = Symbol('scope');

/** Asks for a scope, such as `pets:read`: a key that is restricted to others is answered 403. Needs nothing else. */
export function RequireScope(scope: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(SCOPE, scope),
    ApiExtension('x-scope', scope),
    ApiErrors('insufficient_scope'),
  );
}
