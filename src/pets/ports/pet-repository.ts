import type { Int64, Page, Selection } from '../../kernel/index.js';
import type { Pet } from '../domain/pet.js';
import type { PetStatus } from '../domain/pet-status.js';

/** Which pets to list. */
export type PetSelection = Selection<{ readonly status?: PetStatus; readonly id?: readonly Int64[] }>;

/** What the catalogue needs from storage. */
export abstract class PetRepository {
  /** Stores a new pet in one step. */
  abstract add(pet: Pet): Promise<void>;
  /** Stores many new pets in one step. */
  abstract addAll(pets: readonly Pet[]): Promise<void>;
  abstract find(id: Int64): Promise<Pet | undefined>;
  /** One pet, locked until the unit of work ends. */
  abstract lock(id: Int64): Promise<Pet | undefined>;
  /** One page of the selected pets. It is empty if nothing matches. */
  abstract list(selection: PetSelection): Promise<Page<Pet>>;
  /**
   * Moves one pet to its next state in one step, however many callers try at once. If `change` throws, nothing is stored. If
   * another change was faster, `change` is called again with the newer state. @throws PetNotFound
   */
  abstract change(id: Int64, change: (pet: Pet) => Pet): Promise<Pet>;
}
