import {
  VACCINATION_STATES,
  type NewVaccinationInput,
} from '../../src/vaccinations/domain/new-vaccination.js';
import type { Properties } from '../../src/kernel/index.js';
import { Vaccination } from '../../src/vaccinations/domain/vaccination.js';
import { writeJson } from '../../src/platform/json/index.js';
import { counter } from './counter.js';
import { loaded } from './loaded.js';

const next = counter();

/**
 * The nth example. Each field that can have many values differs from all other examples. All fields are required, so that no test
 * forgets a new field.
 */
const nth = (n: number): Required<NewVaccinationInput> => ({
  petId: [42n, 57n][n % 2]!,
  vaccine: `Vaccine ${n}`,
  givenAt: new Date(Date.UTC(2026, 10, 20 + n, 14)),
  dueAt: new Date(Date.UTC(2026, 10, 20 + n, 15)),
  state: VACCINATION_STATES[n % 3]!,
});

/** Valid input, the next example; with the given overrides. */
export const aNewVaccination = (input: Partial<NewVaccinationInput> = {}): NewVaccinationInput => ({
  ...nth(next()),
  ...input,
});

/** A vaccination with an id of its own, the next example; with the given overrides. */
export function aVaccination(properties: Partial<Properties<Vaccination>> = {}): Vaccination {
  const n = next();
  return loaded(Vaccination, { ...nth(n), id: 4200n + BigInt(n), ...properties });
}

/** An input as JSON. */
export const vaccinationBodyOf = (input: NewVaccinationInput) =>
  JSON.parse(writeJson(input)) as Record<keyof NewVaccinationInput, string | number | boolean>;

/** A body, the next example; with the given overrides. */
export const aVaccinationBody = (more: object = {}) => ({ ...vaccinationBodyOf(aNewVaccination()), ...more });

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
export const vaccinationStepsTo = <All extends Partial<Record<keyof NewVaccinationInput, unknown>>>(
  all: All,
) => STEPS.map((fields) => Object.fromEntries(fields.map((field) => [field, all[field]])) as Partial<All>);
