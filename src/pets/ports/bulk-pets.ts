import type { NewPet } from '../domain/new-pet.js';
import type { PetStatus } from '../domain/pet-status.js';
import type { Pet } from '../domain/pet.js';

/** For modules that import, export or make many pets at once. */
export abstract class BulkPets {
  /** All pets that exist at the start, newest first, in pages. Each pet is as it is when its page is read. */
  abstract all(status?: PetStatus): AsyncIterable<readonly Pet[]>;
  /**
   * Assigns ids to new pets. Call it before the unit of work of `addAll`, so that a retry of the unit cannot store the pets
   * twice.
   */
  abstract create(newPets: readonly NewPet[]): Promise<Pet[]>;
  /** Adds pets, as part of the caller's unit of work. */
  abstract addAll(pets: readonly Pet[]): Promise<void>;
}
