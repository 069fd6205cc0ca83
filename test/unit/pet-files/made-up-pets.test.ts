import { describe, expect, it } from 'vitest';
import { madeUpPets } from '../../../src/pet-files/application/made-up-pets.js';
import { NewPet } from '../../../src/pets/domain/new-pet.js';

const made = (count: number, seed: number) => [...madeUpPets(count, seed)];

describe('made-up pets', () => {
  it('are as many as requested, and each can be added', () => {
    for (const count of [0, 1, 250]) expect(made(count, 1)).toHaveLength(count);
    for (const pet of made(250, 1)) expect(NewPet.from(pet).props).toEqual(pet);
  });

  it('are the same for the same seed, now and in later versions', () => {
    expect(made(4, 7)).toEqual([
      { name: 'Bella', categoryId: 12n, status: 'available' },
      { name: 'Mia the Brave', categoryId: 6n, status: 'available' },
      { name: 'Nala of the Hill', categoryId: 4n, status: 'available' },
      { name: 'Ruby the Second', categoryId: 3n, status: 'available' },
    ]);
    expect(made(4, 7)).toEqual(made(400, 7).slice(0, 4));
    expect(made(4, 8)).not.toEqual(made(4, 7));
  });

  it('have all names, statuses and categories, and most are available', () => {
    const pets = made(5_000, 1);
    const shareOf = (status: string) => pets.filter((pet) => pet.status === status).length / pets.length;
    expect(shareOf('available')).toBeCloseTo(0.7, 1);
    expect(shareOf('pending')).toBeCloseTo(0.1, 1);
    const categories = new Set(pets.map(({ categoryId }) => Number(categoryId)));
    expect([...categories].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    // Forty names, each alone or with one of five surnames.
    expect(new Set(pets.map(({ name }) => name)).size).toBe(40 * 6);
  });
});
