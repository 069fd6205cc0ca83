import type { NewPetInput } from '../domain/new-pet.js';

/** Validates plain data as a new pet, for imports, by the same rules as the body of a request. */
export abstract class PetShape {
  /** `data` is as `parseJson` makes it, with exact integers beside its numbers. @throws InvalidInput with all problems */
  abstract read(data: object): Promise<NewPetInput>;
}
