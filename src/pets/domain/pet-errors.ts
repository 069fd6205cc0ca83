import { DomainError } from '../../kernel/domain-error.js';
import type { Int64 } from '../../kernel/int64.js';
import type { PetStatus } from './pet-status.js';

export class PetNotFound extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'pet_not_found';

  constructor() {
    super('No animal has this id. Check the id, or list the animals to find it.');
  }
}

export class PetNotAvailable extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'pet_not_available';

  /** `status` is absent if the pet does not exist. */
  constructor(id: Int64, status?: PetStatus) {
    super(`Animal ${id} ${status ? `is ${status}, not available` : 'does not exist'}. Choose another one.`);
  }
}

export class InvalidTransition extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'invalid_transition';

  constructor(id: Int64, from: PetStatus, to: PetStatus) {
    super(`Animal ${id} is ${from} and cannot become ${to}.`);
  }
}

export class ImportTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'import_taken';

  constructor(name: string) {
    super(`Another process is importing ${name}. What it has stored stays; this one stored nothing more.`);
  }
}
