import type { NewPetInput } from '../../src/pets/domain/new-pet.js';
import { Pet, type PetProps } from '../../src/pets/domain/pet.js';

/** A pet no two of whose fields could be taken for each other, except for what the test says of it. */
export const aPet = (props: Partial<PetProps> = {}): Pet =>
  Pet.restore({ id: 4211n, name: 'Rex', categoryId: 87n, status: 'pending', ...props });

/** Input that the policy accepts, except for what the test overrides. */
export const aNewPetInput = (input: Partial<NewPetInput> = {}): NewPetInput => ({
  name: 'Bello',
  categoryId: 93n,
  ...input,
});
