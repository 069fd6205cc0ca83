import type { NewVaccinationInput } from '../../src/vaccinations/domain/new-vaccination.js';
import { Vaccination, type VaccinationProps } from '../../src/vaccinations/domain/vaccination.js';

/** A vaccination no two of whose fields could be taken for each other, except for what the test says of it. */
export const aVaccination = (props: Partial<VaccinationProps> = {}): Vaccination =>
  Vaccination.restore({
    id: 4211n,
    petId: 42n,
    vaccine: 'Vaccine one',
    givenAt: new Date('2026-11-22T12:00:00.000Z'),
    dueAt: new Date('2026-11-23T12:00:00.000Z'),
    state: 'open',
    ...props,
  });

/** Input that the policy accepts, except for what the test overrides. No field is as in `aVaccination`, if it can be otherwise. */
export const aNewInput = (input: Partial<NewVaccinationInput> = {}): NewVaccinationInput => ({
  petId: 57n,
  vaccine: 'Vaccine two',
  givenAt: new Date('2027-11-22T12:00:00.000Z'),
  dueAt: new Date('2027-11-23T12:00:00.000Z'),
  state: 'transferred',
  ...input,
});

/** That input as JSON. */
export const BODY = {
  petId: 57,
  vaccine: 'Vaccine two',
  givenAt: '2027-11-22T12:00:00.000Z',
  dueAt: '2027-11-23T12:00:00.000Z',
  state: 'transferred',
};

/** The fields of `aVaccination` as JSON. */
export const OTHER_BODY = {
  petId: 42,
  vaccine: 'Vaccine one',
  givenAt: '2026-11-22T12:00:00.000Z',
  dueAt: '2026-11-23T12:00:00.000Z',
  state: 'open',
};

type Field = keyof typeof BODY;
const only = <T extends object>(fields: readonly (keyof T)[], of: T) =>
  Object.fromEntries(fields.map((field) => [field, of[field]])) as Partial<T>;

/**
 * How tests change the one into the other, in steps of one field or several. If a rule of yours refuses a step, bring the steps into
 * another order, make two of them one, leave one out, or choose other values above.
 */
const STEPS: readonly Field[][] = [['petId'], ['vaccine'], ['dueAt'], ['givenAt'], ['state']];
export const CHANGES = STEPS.map((fields) => ({
  change: only(fields, aNewInput()),
  patch: only(fields, BODY),
}));
