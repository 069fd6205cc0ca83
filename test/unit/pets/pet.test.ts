import { describe, expect, it } from 'vitest';
import { NewPet } from '../../../src/pets/domain/new-pet.js';
import { InvalidTransition, PetNotAvailable } from '../../../src/pets/domain/pet-errors.js';
import { canTransition, PET_STATUSES, type PetStatus } from '../../../src/pets/domain/pet-status.js';
import { Pet } from '../../../src/pets/domain/pet.js';
import { aPet, aNewPetInput } from '../../support/pet-builder.js';

const available = aPet({ status: 'available' });
const pending = aPet({ status: 'pending' });
const sold = aPet({ status: 'sold' });

describe('a pet of the catalogue', () => {
  it('is admitted as the policy let it in, under its new id', () => {
    const pet = Pet.create(77n, NewPet.from(aNewPetInput({ status: 'sold' })));
    expect(pet).toEqual(aPet({ ...aNewPetInput(), id: 77n, status: 'sold' }));
  });

  it('is remembered as it was stored, even if the policy has changed since', () => {
    expect(aPet({ name: '\u0000' }).name).toBe('\u0000');
  });

  it('can be reserved while it is available', () => {
    expect(available.reserve()).toEqual(aPet({ status: 'pending' }));
  });

  it.each([pending, sold])('cannot be reserved when it is $status', (pet) => {
    expect(() => pet.reserve()).toThrow(PetNotAvailable);
  });

  it('is available again when it is given back', () => {
    expect(pending.release()).toEqual(aPet({ status: 'available' }));
  });

  it.each([available, sold])('cannot be given back when it is $status', (pet) => {
    expect(() => pet.release()).toThrow(InvalidTransition);
  });

  it.each([available, pending])('can be sold when it is $status', (pet) => {
    expect(pet.sell()).toEqual(aPet({ status: 'sold' }));
  });

  it('cannot be sold a second time', () => {
    expect(() => sold.sell()).toThrow(InvalidTransition);
  });

  it('does not change itself: the act answers with the next one', () => {
    available.reserve();
    expect(available.status).toBe('available');
  });

  it('says in the refusal which pet it is and why not', () => {
    expect(() => sold.reserve()).toThrow('Animal 4211 is sold, not available.');
    expect(() => sold.release()).toThrow('Animal 4211 is sold and cannot become available.');
  });
});

describe('the way of a status', () => {
  const ALLOWED: Record<PetStatus, PetStatus[]> = {
    available: ['pending', 'sold'],
    pending: ['available', 'sold'],
    sold: [],
  };
  const steps = PET_STATUSES.flatMap((from) =>
    PET_STATUSES.map((to) => [from, to, ALLOWED[from].includes(to) ? 'is allowed' : 'is refused'] as const),
  );

  it.each(steps)('from %s to %s %s', (from, to, verdict) => {
    expect(canTransition(from, to)).toBe(verdict === 'is allowed');
  });

  it('ends when the pet is sold: a pet that is sold stays sold', () => {
    expect(PET_STATUSES.filter((status) => canTransition('sold', status))).toEqual([]);
  });
});
