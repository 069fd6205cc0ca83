import {
  VACCINATION_STATES,
  type NewVaccinationInput,
} from '../../src/vaccinations/domain/new-vaccination.js';
import type { Properties } from '../../src/kernel/index.js';
import { Vaccination } from '../../src/vaccinations/domain/vaccination.js';
import { writeJson } from '../../src/platform/json/index.js';
import { loaded } from './loaded.js';

let n = 0;

/** Valid input, which differs from all others in each field of many values; with the given overrides. */
export function aNewInput(input: Partial<NewVaccinationInput> = {}): NewVaccinationInput {
  n++;
  // Also the optional fields are required here, so that no test forgets a new one.
  const all: Required<NewVaccinationInput> = {
    petId: [42n, 57n][n % 2]!,
    vaccine: `Vaccine ${n}`,
    givenAt: new Date(Date.UTC(2026, 10, 20 + n, 14)),
    dueAt: new Date(Date.UTC(2026, 10, 20 + n, 15)),
    state: VACCINATION_STATES[n % 3]!,
  };
  return { ...all, ...input };
}

/** A vaccination with an id of its own, which differs likewise; with the given overrides. */
export const aVaccination = (properties: Partial<Properties<Vaccination>> = {}): Vaccination =>
  loaded(Vaccination, { ...aNewInput(), id: 4200n + BigInt(n), ...properties });

/** An input as JSON. */
export const bodyOf = (input: NewVaccinationInput) =>
  JSON.parse(writeJson(input)) as Record<keyof NewVaccinationInput, string | number | boolean>;

/** A body that differs likewise; with the given overrides. */
export const aBody = (more: object = {}) => ({ ...bodyOf(aNewInput()), ...more });

/**
 * How tests change one into another, in steps of one or more fields. If your rules reject a step, reorder or combine steps, or
 * leave one out.
 */
const STEPS: readonly (keyof NewVaccinationInput)[][] = [
  ['petId'],
  ['vaccine'],
  ['dueAt'],
  ['givenAt'],
  ['state'],
];

/** The changes to an input, or to a body, in these steps. */
export const stepsTo = <All extends Partial<Record<keyof NewVaccinationInput, unknown>>>(all: All) =>
  STEPS.map((fields) => Object.fromEntries(fields.map((field) => [field, all[field]])) as Partial<All>);
