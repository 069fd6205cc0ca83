import type { PetWish } from '../../src/pets/domain/new-pet.js';
import { Pet, type PetFacts } from '../../src/pets/domain/pet.js';

/** An animal no two of whose fields could be taken for each other, except for what the test says of it. */
export const aPet = (facts: Partial<PetFacts> = {}): Pet =>
  Pet.restore({ id: 4211n, name: 'Rex', categoryId: 87n, status: 'pending', ...facts });

/** A wish that the policy grants, except for what the test says of it. */
export const aWish = (wish: Partial<PetWish> = {}): PetWish => ({ name: 'Bello', categoryId: 93n, ...wish });
