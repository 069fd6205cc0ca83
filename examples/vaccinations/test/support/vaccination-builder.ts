import type { NewVaccinationInput } from '../../src/vaccinations/domain/new-vaccination.js';
import { Vaccination, type VaccinationProps } from '../../src/vaccinations/domain/vaccination.js';

// Also the optional fields are required here, so that no test forgets a new one.
/** Without a reminder, which is sent later. */
const PROPS: Required<Omit<VaccinationProps, 'remindedAt'>> = {
  id: 4211n,
  petId: 42n,
  vaccine: 'Vaccine one',
  givenAt: new Date('2026-11-22T12:00:00.000Z'),
  dueAt: new Date('2026-11-23T12:00:00.000Z'),
  state: 'open',
};
const INPUT: Required<NewVaccinationInput> = {
  petId: 57n,
  vaccine: 'Vaccine two',
  givenAt: new Date('2027-11-22T12:00:00.000Z'),
  dueAt: new Date('2027-11-23T12:00:00.000Z'),
  state: 'transferred',
};

/** A vaccination whose fields all differ, with the given overrides. */
export const aVaccination = (props: Partial<VaccinationProps> = {}): Vaccination =>
  Vaccination.restore({ ...PROPS, ...props });

/** Valid input, with the given overrides. If possible, each field differs from `aVaccination`. */
export const aNewInput = (input: Partial<NewVaccinationInput> = {}): NewVaccinationInput => ({
  ...INPUT,
  ...input,
});

/** The same input as JSON. */
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
 * How tests change one into the other, in steps of one or more fields. If your rules reject a step, reorder or combine steps, leave
 * one out, or choose other values above.
 */
const STEPS: readonly Field[][] = [['petId'], ['vaccine'], ['dueAt'], ['givenAt'], ['state']];
export const CHANGES = STEPS.map((fields) => ({
  change: only(fields, aNewInput()),
  patch: only(fields, BODY),
}));
