import { DomainError } from '../../kernel/index.js';

export class VaccinationNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'vaccination_not_found';
  static readonly meaning = 'No vaccination has this id.';
  static readonly remedy = 'Check the id, or list the vaccinations to find it.';
}

export class UnknownPet extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'unknown_pet';
  static readonly meaning = 'No animal has the id that `petId` names.';
  static readonly remedy = 'Correct it; list the animals to find it.';

  constructor() {
    super('No animal has the id that `petId` names. List the animals to find it.');
  }
}
