import type { NewPet } from '../domain/new-pet.js';
import type { PetStatus } from '../domain/pet-status.js';
import type { Pet } from '../domain/pet.js';

/** For modules that move many pets at once. */
export abstract class BulkPets {
  /** All pets that exist at the start, newest first, in pages; each pet as it is when its page is read. */
  abstract all(status?: PetStatus): AsyncIterable<readonly Pet[]>;
  /** Gives new pets their ids. Called before the unit of work of `addAll`, whose retry then cannot store them twice. */
  abstract create(newPets: readonly NewPet[]): Promise<Pet[]>;
  /** Adds pets, as part of the caller's unit of work. */
  abstract addAll(pets: readonly Pet[]): Promise<void>;
}
