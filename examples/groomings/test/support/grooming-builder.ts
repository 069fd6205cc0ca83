import { type NewGroomingInput } from '../../src/groomings/domain/new-grooming.js';
import type { Properties } from '../../src/kernel/index.js';
import { Grooming } from '../../src/groomings/domain/grooming.js';
import { writeJson } from '../../src/platform/json/index.js';
import { counter } from './counter.js';
import { loaded } from './loaded.js';

const next = counter();

/**
 * The nth example. Each field that can have many values differs from all other examples. All fields are required, so that no test
 * forgets a new field.
 */
const nth = (n: number): Required<NewGroomingInput> => ({
  groomerId: 1n,
  startsAt: new Date(Date.UTC(2026, 10, 20 + n, 13)),
  minutes: 15 + (n % 226),
});

/** Valid input, the next example; with the given overrides. */
export const aNewGrooming = (input: Partial<NewGroomingInput> = {}): NewGroomingInput => ({
  ...nth(next()),
  ...input,
});

/** A grooming with an id of its own, the next example; with the given overrides. */
export function aGrooming(properties: Partial<Properties<Grooming>> = {}): Grooming {
  const n = next();
  return loaded(Grooming, { ...nth(n), id: 4200n + BigInt(n), ...properties });
}

/** An input as JSON. */
export const groomingBodyOf = (input: NewGroomingInput) =>
  JSON.parse(writeJson(input)) as Record<keyof NewGroomingInput, string | number | boolean>;

/** A body, the next example; with the given overrides. */
export const aGroomingBody = (more: object = {}) => ({ ...groomingBodyOf(aNewGrooming()), ...more });
