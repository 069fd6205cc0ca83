import type { PetWish } from '../domain/new-pet.js';

/** What an import needs to read a wish from plain data, just as a client's wish is read. */
export abstract class PetShape {
  /** Integers come as number or bigint, whichever is exact. @throws InvalidInput naming everything that is wrong */
  abstract read(data: object): PetWish;
}
