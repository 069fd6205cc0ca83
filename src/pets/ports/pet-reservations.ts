import type { Int64 } from '../../kernel/int64.js';

/** What the catalogue offers to modules that promise animals to somebody. Each act is part of the caller's unit of work. */
export abstract class PetReservations {
  /** Holds an available animal; of any number of rivals one gets it. @throws PetNotAvailable, also if there is none */
  abstract reserve(id: Int64): Promise<void>;
  /** Gives a held animal back to the catalogue. @throws PetNotFound, InvalidTransition */
  abstract release(id: Int64): Promise<void>;
  /** Hands a held animal over for good. @throws PetNotFound, InvalidTransition */
  abstract sell(id: Int64): Promise<void>;
}
