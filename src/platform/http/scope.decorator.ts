import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import { ErrorBody } from './document/error-body.dto.js';

/** The metadata of a handler that asks for a scope. */
export const SCOPE = Symbol('scope');

/** Asks for a scope, such as `pets:read`: a key that is restricted to others is answered 403. Needs nothing else. */
export function RequireScope(scope: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(SCOPE, scope),
    ApiExtension('x-scope', scope),
    ApiResponse({
      status: 403,
      description: `The API key is restricted and lacks the scope \`${scope}\`.`,
      type: ErrorBody,
      headers: {
        'WWW-Authenticate': {
          description: 'The scope that is needed (RFC 6750 section 3).',
          schema: { type: 'string' },
        },
      },
    }),
  );
}
