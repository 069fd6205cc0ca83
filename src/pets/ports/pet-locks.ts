import type { Int64 } from '../../kernel/index.js';
import type { PetStatus } from '../domain/pet-status.js';

/** For modules whose data belongs to pets. */
export abstract class PetLocks {
  /** The status of a pet, locked until the caller's unit of work ends; undefined if the pet does not exist. */
  abstract lock(id: Int64): Promise<PetStatus | undefined>;
}
