import type { NewPetInput } from '../domain/new-pet.js';

/** Validates plain data as a new pet, for imports, by the same rules as the body of a request. */
export abstract class PetShape {
  /** Integers in `data` are numbers if a number is exact, and bigints otherwise. @throws InvalidInput with all problems */
  abstract read(data: object): Promise<NewPetInput>;
}
