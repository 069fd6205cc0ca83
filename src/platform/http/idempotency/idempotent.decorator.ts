import { applyDecorators, Req, UseGuards } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { Refuses } from '../document/refuses.decorator.js';
import { doOnce, type OnceRequest } from './do-once.js';
import { IdempotencyGuard } from './idempotency.guard.js';

/** Makes an operation safe to send again: a client that adds an `Idempotency-Key` gets the first answer once more. */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    surround,
    UseGuards(IdempotencyGuard),
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

/**
 * Puts `doOnce` around the handler itself, which gets the request as one more argument for that. An interceptor would do
 * the same in Nest's words, but all requests would pay for it, also those without a key.
 */
const surround: MethodDecorator = (target, name, descriptor) => {
  const handler = descriptor.value as (...values: unknown[]) => unknown;
  const last = (Reflect.getMetadata('design:paramtypes', target, name) as unknown[]).length;
  Req()(target, name, last);
  const surrounded = function (this: unknown, ...values: unknown[]) {
    return doOnce(values[last] as OnceRequest, () => handler.apply(this, values));
  };
  // What other decorators have noted of the handler is to be found on what stands in its place.
  for (const key of Reflect.getMetadataKeys(handler))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), surrounded);
  descriptor.value = Object.defineProperty(surrounded, 'name', { value: handler.name }) as never;
};
