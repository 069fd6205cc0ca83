import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { ApiErrors } from '../document/api-errors.decorator.js';

/** Describes an operation that is safe to send again; its handler calls `Idempotency.execute`. */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    ApiErrors('invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused'),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'A key of your own, such as a UUID, for what this request is to do. Sent again with the same key and body within ' +
        '24 hours, the request is answered as the first time, with `Idempotency-Replayed: true`.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
  );
}
