import { type NewReceiverInput } from '../../src/webhooks/domain/new-receiver.js';
import { Receiver } from '../../src/webhooks/domain/receiver.js';
import type { Properties } from '../../src/kernel/index.js';
import { writeJson } from '../../src/platform/json/index.js';
import { counter } from './counter.js';
import { loaded } from './loaded.js';

const next = counter();

/**
 * The nth example. Each field that can have many values differs from all other examples. All fields are required, so that no test
 * forgets a new field.
 */
const nth = (n: number): Required<NewReceiverInput> => ({ url: `https://receiver-${n}.example/` });

/** The nth example of what the service gives. */
const nthGiven = (n: number) => ({ secret: `Secret ${n}` });

/** Valid input, the next example; with the given overrides. */
export const aNewReceiver = (input: Partial<NewReceiverInput> = {}): NewReceiverInput => ({
  ...nth(next()),
  ...input,
});

/** A receiver with an id of its own, the next example; with the given overrides. */
export function aReceiver(properties: Partial<Properties<Receiver>> = {}): Receiver {
  const n = next();
  return loaded(Receiver, { ...nth(n), ...nthGiven(n), id: 4200n + BigInt(n), ...properties });
}

/** An input as JSON. */
export const receiverBodyOf = (input: NewReceiverInput) =>
  JSON.parse(writeJson(input)) as Record<keyof NewReceiverInput, string | number | boolean>;

/** A body, the next example; with the given overrides. */
export const aReceiverBody = (more: object = {}) => ({ ...receiverBodyOf(aNewReceiver()), ...more });
