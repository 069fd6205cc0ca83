import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { Refuses } from '../document/refuses.decorator.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Makes an operation safe to send again: a client that adds an `Idempotency-Key` gets the first answer once more. */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    Refuses('invalid_idempotency_key', 'idempotency_in_progress', 'idempotency_key_reused'),
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
