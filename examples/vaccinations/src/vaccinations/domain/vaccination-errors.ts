import { DomainError } from '../../kernel/domain-error.js';

export class VaccinationNotFound extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'vaccination_not_found';

  constructor() {
    super('No vaccination has this id. Check the id, or list the vaccinations to find it.');
  }
}

export class UnknownPet extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'unknown_pet';

  constructor() {
    super('No animal has the id that `petId` names. List the animals to find it.');
  }
}
