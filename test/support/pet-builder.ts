import type { NewPetInput } from '../../src/pets/domain/new-pet.js';
import { Pet, type PetProps } from '../../src/pets/domain/pet.js';

/** A pet whose fields all differ, with the given overrides. */
export const aPet = (props: Partial<PetProps> = {}): Pet =>
  Pet.restore({ id: 4211n, name: 'Rex', categoryId: 87n, status: 'pending', ...props });

/** Valid input, with the given overrides. */
export const aNewPetInput = (input: Partial<NewPetInput> = {}): NewPetInput => ({
  name: 'Bello',
  categoryId: 93n,
  ...input,
});
