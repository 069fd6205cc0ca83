import { describe, expect, it } from 'vitest';
import { petFrom, PETS, valuesOf } from '../../../src/pets/adapters/typeorm/pet.row.js';
import { aPet } from '../../support/pet-builder.js';

describe('an animal in the table', () => {
  it('has a value for each column, in the order of the columns', () => {
    expect(valuesOf(aPet())).toEqual([4211n, 'Rex', 87n, 'pending']);
    expect(PETS.columns).toEqual(['id', 'name', 'category_id', 'status']);
  });

  it.each([
    ['bigints', 4211n, 87n],
    ['strings', '4211', '87'],
    ['numbers', 4211, 87],
  ])('is the same animal when the driver reads integers as %s', (_, id, category_id) => {
    expect(petFrom({ id, name: 'Rex', category_id, status: 'pending' })).toEqual(aPet());
  });
});
