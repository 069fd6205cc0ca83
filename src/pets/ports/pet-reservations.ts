import type { Int64 } from '../../kernel/index.js';

/** For modules that sell pets. Each method is part of the caller's unit of work. */
export abstract class PetReservations {
  /**
   * Reserves an available pet. If several callers try at once, one succeeds. @throws PetNotAvailable, also if the pet does not
   * exist
   */
  abstract reserve(id: Int64): Promise<void>;
  /** Makes a reserved pet available again. @throws PetNotFound, InvalidPetTransition */
  abstract release(id: Int64): Promise<void>;
  /** Marks a pet as sold, whether it is reserved or not. @throws PetNotFound, InvalidPetTransition */
  abstract sell(id: Int64): Promise<void>;
}
