import type { Int64 } from '../../kernel/int64.js';

/** What the catalogue offers to modules that sell pets. Each act is part of the caller's unit of work. */
export abstract class PetReservations {
  /** Reserves an available pet; of any number of concurrent callers one gets it. @throws PetNotAvailable, also if there is none */
  abstract reserve(id: Int64): Promise<void>;
  /** Gives a reserved pet back to the catalogue. @throws PetNotFound, InvalidTransition */
  abstract release(id: Int64): Promise<void>;
  /** Marks a reserved pet as sold. @throws PetNotFound, InvalidTransition */
  abstract sell(id: Int64): Promise<void>;
}
