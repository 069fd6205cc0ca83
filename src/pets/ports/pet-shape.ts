import type { NewPetInput } from '../domain/new-pet.js';

/** Reads a new pet from plain data, for imports, by the same rules as the body of a request. */
export abstract class PetShape {
  /** Integers are number or bigint, whichever is exact. @throws InvalidInput with all problems */
  abstract read(data: object): Promise<NewPetInput>;
}
