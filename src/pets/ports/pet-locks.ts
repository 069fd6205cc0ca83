import type { Int64 } from '../../kernel/int64.js';
import type { PetStatus } from '../domain/pet-status.js';

/** What the catalogue offers to modules whose things belong to pets. */
export abstract class PetLocks {
  /** The status of a pet, which nobody changes until the caller's unit of work ends; undefined if there is no such pet. */
  abstract lock(id: Int64): Promise<PetStatus | undefined>;
}
