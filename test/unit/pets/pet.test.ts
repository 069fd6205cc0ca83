import { describe, expect, it } from 'vitest';
import { Pet } from '../../../src/pets/domain/pet.js';

describe('a stored pet', () => {
  it('is restored as it is, even if no new pet may have its values', () => {
    const stored = { id: -7n, name: '\0', categoryId: 0n, status: 'sold' } as const;
    const pet = Pet.restore(stored);
    expect(pet).toBeInstanceOf(Pet);
    expect({ ...pet }).toEqual(stored);
  });
});
