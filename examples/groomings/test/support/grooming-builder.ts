import { type NewGroomingInput } from '../../src/groomings/domain/new-grooming.js';
import type { Properties } from '../../src/kernel/index.js';
import { Grooming } from '../../src/groomings/domain/grooming.js';
import { writeJson } from '../../src/platform/json/index.js';
import { loaded } from './loaded.js';

let n = 0;

/** Valid input, which differs from all others in each field of many values; with the given overrides. */
export function aNewInput(input: Partial<NewGroomingInput> = {}): NewGroomingInput {
  n++;
  // Also the optional fields are required here, so that no test forgets a new one.
  const all: Required<NewGroomingInput> = {
    groomerId: 1n,
    startsAt: new Date(Date.UTC(2026, 10, 20 + n, 13)),
    minutes: 15 + (n % 226),
  };
  return { ...all, ...input };
}

/** A grooming with an id of its own, which differs likewise; with the given overrides. */
export const aGrooming = (properties: Partial<Properties<Grooming>> = {}): Grooming =>
  loaded(Grooming, { ...aNewInput(), id: 4200n + BigInt(n), ...properties });

/** An input as JSON. */
export const bodyOf = (input: NewGroomingInput) =>
  JSON.parse(writeJson(input)) as Record<keyof NewGroomingInput, string | number | boolean>;

/** A body that differs likewise; with the given overrides. */
export const aBody = (more: object = {}) => ({ ...bodyOf(aNewInput()), ...more });
