import type { Properties } from '../../src/kernel/index.js';
import type { NewPetInput } from '../../src/pets/domain/new-pet.js';
import { Pet } from '../../src/pets/domain/pet.js';
import { loaded } from './loaded.js';

// Also the optional fields are required here, so that no test forgets a new one.
const PROPS: Required<Properties<Pet>> = {
  id: 4211n,
  name: 'Rex',
  categoryId: 87n,
  status: 'pending',
};
/** Without a status, because the domain gives a new pet its status. */
const INPUT: Required<Omit<NewPetInput, 'status'>> = {
  name: 'Bello',
  categoryId: 93n,
};

/** A pet whose fields all differ, with the given overrides. */
export const aPet = (props: Partial<Properties<Pet>> = {}): Pet => loaded(Pet, { ...PROPS, ...props });

/** Valid input, with the given overrides. */
export const aNewPetInput = (input: Partial<NewPetInput> = {}): NewPetInput => ({
  ...INPUT,
  ...input,
});
