import type { NewPetInput } from '../domain/new-pet.js';

/** Reads the input of a new pet from plain data, for imports, as the body of a request is read. */
export abstract class PetShape {
  /** Integers come as number or bigint, whichever is exact. @throws InvalidInput with all problems */
  abstract read(data: object): NewPetInput;
}
