import { DomainError } from '../../kernel/domain-error.js';

export class VaccinationNotFound extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'vaccination_not_found';

  constructor() {
    super('No vaccination has this id. Check the id, or list the vaccinations to find it.');
  }
}
