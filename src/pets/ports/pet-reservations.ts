import type { Int64 } from '../../kernel/index.js';

/** For modules that sell pets. Each method is part of the caller's unit of work. */
export abstract class PetReservations {
  /** Reserves an available pet; of concurrent callers one succeeds. @throws PetNotAvailable, also if it does not exist */
  abstract reserve(id: Int64): Promise<void>;
  /** Gives a reserved pet back to the catalogue. @throws PetNotFound, InvalidTransition */
  abstract release(id: Int64): Promise<void>;
  /** Marks a pet as sold, reserved or not. @throws PetNotFound, InvalidTransition */
  abstract sell(id: Int64): Promise<void>;
}
