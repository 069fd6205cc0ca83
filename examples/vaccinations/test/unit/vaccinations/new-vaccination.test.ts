import { describe, expect, it } from 'vitest';
import { InvalidInput } from '../../../src/kernel/index.js';
import { MAX_VACCINATION_VACCINE, NewVaccination } from '../../../src/vaccinations/domain/new-vaccination.js';
import { aNewVaccination } from '../../support/vaccination-builder.js';

describe('a vaccination that a client wants to add', () => {
  it('is stored unchanged', () => {
    const input = aNewVaccination();
    expect(NewVaccination.from(input).props).toEqual(input);
  });

  it.each([
    ['vaccine', { vaccine: '' }, 'blank'],
    ['vaccine', { vaccine: 'x'.repeat(MAX_VACCINATION_VACCINE + 1) }, 'too_long'],
  ])('is rejected with %s %j, and the error names the field', (field, bad, code) => {
    expect(NewVaccination.validate(bad)).toMatchObject([{ field, code }]);
    expect(() => NewVaccination.from(aNewVaccination(bad))).toThrow(InvalidInput);
  });

  it.each([0, 1])('is rejected when it is due %i ms before it is given', (early) => {
    const { givenAt } = aNewVaccination();
    const dueAt = new Date(givenAt.getTime() - early);
    expect(NewVaccination.validate({ givenAt, dueAt })).toMatchObject([
      { field: 'dueAt', code: 'out_of_range' },
    ]);
    expect(() => NewVaccination.from(aNewVaccination({ givenAt, dueAt }))).toThrow(InvalidInput);
  });

  it('may be due one millisecond after it is given, or never', () => {
    const { givenAt } = aNewVaccination();
    expect(NewVaccination.validate({ givenAt, dueAt: new Date(givenAt.getTime() + 1) })).toEqual([]);
    expect(NewVaccination.validate({ givenAt, dueAt: undefined })).toEqual([]);
  });

  it('is accepted at its bounds', () => {
    expect(NewVaccination.validate({ vaccine: 'x'.repeat(MAX_VACCINATION_VACCINE) })).toEqual([]);
  });

  it('has no problem in absent fields', () => {
    expect(NewVaccination.validate({})).toEqual([]);
  });
});
