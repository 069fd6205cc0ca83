import { DomainError, type Int64 } from '../../kernel/index.js';
import type { PetStatus } from './pet-status.js';

export class PetNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'pet_not_found';
  static readonly meaning = 'No animal has this id.';
  static readonly remedy = 'Check the id, or list the animals to find it.';
}

export class PetNotAvailable extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'pet_not_available';
  static readonly meaning = 'The animal is not available, or does not exist.';
  static readonly remedy = 'Choose another animal: `GET /pets?status=available`.';

  /** `status` is absent if the pet does not exist. */
  constructor(id: Int64, status?: PetStatus) {
    super(
      `Animal ${id} ${status ? `is ${status}, not available` : 'does not exist'}. Choose another animal.`,
    );
  }
}

/** As long as an order and its pet change together, no client gets this error, because the order rejects the change first. */
export class InvalidPetTransition extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'invalid_pet_transition';

  constructor(id: Int64, from: PetStatus, to: PetStatus) {
    super(`Animal ${id} is ${from} and cannot become ${to}.`);
  }
}
