import { describe, expect, it } from 'vitest';
import { NewPetBody } from '../../../src/pets/adapters/http/pet.dto.js';
import { judged } from '../../support/http/judged.js';

const body = { name: 'Bello', categoryId: 93, status: 'sold' };
const inputFrom = async (data: object) => (await judged(NewPetBody, data)).dto;
const problemsOf = async (data: object) =>
  (await judged(NewPetBody, data)).problems.map(({ path, code }) => `${path[0]} ${code}`);

describe('the body that adds a pet', () => {
  it('becomes input with each property in its place', async () => {
    expect(await inputFrom(body)).toEqual({
      name: 'Bello',
      categoryId: 93n,
      status: 'sold',
    });
  });

  it('becomes input without a status when it has none', async () => {
    const { status: _, ...unsaid } = body;
    expect(await inputFrom(unsaid)).not.toHaveProperty('status');
  });

  it('keeps a category that no double can hold', async () => {
    const categoryId = 2n ** 63n - 1n;
    expect((await inputFrom({ ...body, categoryId })).categoryId).toBe(categoryId);
  });

  it.each<[string, object, string[]]>([
    ['is empty', {}, ['name required', 'categoryId required']],
    ['has a number for a name', { ...body, name: 7 }, ['name invalid_type']],
    ['has null for a category', { ...body, categoryId: null }, ['categoryId invalid_type']],
    ['has a string for a category', { ...body, categoryId: '7' }, ['categoryId invalid_type']],
    ['has a category above int64', { ...body, categoryId: 2n ** 63n }, ['categoryId out_of_range']],
    ['has a status of its own making', { ...body, status: 'SOLD' }, ['status invalid_enum_value']],
    ['brings an id', { ...body, id: 7 }, ['id read_only_field']],
    ['has a field we do not know', { ...body, colour: 'red' }, ['colour unknown_field']],
  ])('is refused when it %s', async (_, data, problems) => expect(await problemsOf(data)).toEqual(problems));

  it('is refused with a name that the policy would refuse', async () => {
    expect(await problemsOf({ ...body, name: '' })).toEqual(['name blank']);
  });
});
