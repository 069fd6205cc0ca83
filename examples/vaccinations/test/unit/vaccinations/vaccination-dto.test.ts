import { describe, expect, it } from 'vitest';
import {
  toVaccinationBody,
  VaccinationChangeBody,
  NewVaccinationBody,
  toVaccinationChange,
  toNewVaccinationInput,
} from '../../../src/vaccinations/adapters/http/vaccination.dto.js';
import { writeJson } from '../../../src/platform/json/write-json.js';
import { validateBodySync } from '../../../src/platform/http/validation/validate-dto.js';
import { aVaccination, aBody, aNewInput, bodyOf } from '../../support/vaccination-builder.js';

const problemsOf = (shape: new () => object, data: object) =>
  validateBodySync(shape, data).problems.map(({ path, code }) => `${path[0]} ${code}`);

describe('a vaccination on the wire', () => {
  it('has each property in its place', () => {
    const input = aNewInput();
    const body = toVaccinationBody(aVaccination({ ...input, id: 7n }));
    expect(JSON.parse(writeJson(body))).toEqual({ id: 7, ...bodyOf(input) });
  });

  it('lacks what it has not', () => {
    const body = toVaccinationBody(aVaccination({ dueAt: undefined }));
    expect(Object.keys(JSON.parse(writeJson(body)) as object)).toEqual([
      'id',
      'petId',
      'vaccine',
      'givenAt',
      'state',
    ]);
  });
});

describe('the body that adds a vaccination', () => {
  it('becomes input with each property in its place', () => {
    const input = aNewInput();
    expect(toNewVaccinationInput(validateBodySync(NewVaccinationBody, bodyOf(input)).dto)).toEqual(input);
  });

  it.each<[string, object, string[]]>([
    ['lacks petId', { petId: undefined }, ['petId required']],
    ['has null for petId', { petId: null }, ['petId invalid_type']],
    ['has a wrong petId', { petId: 'x' }, ['petId invalid_type']],
    ['lacks vaccine', { vaccine: undefined }, ['vaccine required']],
    ['has null for vaccine', { vaccine: null }, ['vaccine invalid_type']],
    ['has a wrong vaccine', { vaccine: 7 }, ['vaccine invalid_type']],
    ['lacks givenAt', { givenAt: undefined }, ['givenAt required']],
    ['has null for givenAt', { givenAt: null }, ['givenAt invalid_type']],
    ['has a wrong givenAt', { givenAt: '2026-02-30T12:00:00Z' }, ['givenAt invalid_format']],
    ['has null for dueAt', { dueAt: null }, ['dueAt invalid_type']],
    ['has a wrong dueAt', { dueAt: '2026-02-30T12:00:00Z' }, ['dueAt invalid_format']],
    ['lacks state', { state: undefined }, ['state required']],
    ['has null for state', { state: null }, ['state invalid_enum_value']],
    ['has a wrong state', { state: 'no such' }, ['state invalid_enum_value']],
    ['brings an id', { id: 7 }, ['id read_only_field']],
    ['has a field we do not know', { colour: 'red' }, ['colour unknown_field']],
  ])('is refused when it %s', (_, more, problems) =>
    expect(problemsOf(NewVaccinationBody, aBody(more))).toEqual(problems),
  );
});

describe('the body that changes a vaccination', () => {
  it('becomes a change with each property in its place, and nothing else', () => {
    const changeFrom = (data: object) =>
      toVaccinationChange(validateBodySync(VaccinationChangeBody, data).dto);
    const input = aNewInput();
    expect(changeFrom(bodyOf(input))).toEqual(input);
    const vaccination = aVaccination();
    expect(vaccination.change(changeFrom({}))).toEqual(vaccination);
    expect(Object.entries(changeFrom({ dueAt: null }))).toEqual([['dueAt', undefined]]);
  });

  it.each<[string, object, string[]]>([
    ['has null for petId', { petId: null }, ['petId invalid_type']],
    ['has a wrong petId', { petId: 'x' }, ['petId invalid_type']],
    ['has null for vaccine', { vaccine: null }, ['vaccine invalid_type']],
    ['has a wrong vaccine', { vaccine: 7 }, ['vaccine invalid_type']],
    ['has null for givenAt', { givenAt: null }, ['givenAt invalid_type']],
    ['has a wrong givenAt', { givenAt: '2026-02-30T12:00:00Z' }, ['givenAt invalid_format']],
    ['has a wrong dueAt', { dueAt: '2026-02-30T12:00:00Z' }, ['dueAt invalid_format']],
    ['has null for state', { state: null }, ['state invalid_enum_value']],
    ['has a wrong state', { state: 'no such' }, ['state invalid_enum_value']],
    ['brings an id', { id: 7 }, ['id read_only_field']],
  ])('is refused when it %s', (_, change, problems) =>
    expect(problemsOf(VaccinationChangeBody, change)).toEqual(problems),
  );
});
