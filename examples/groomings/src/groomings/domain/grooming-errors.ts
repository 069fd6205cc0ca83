import { DomainError } from '../../kernel/index.js';

export class GroomingNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'grooming_not_found';
  static readonly meaning = 'No grooming has this id.';
  static readonly remedy = 'Check the id, or list the groomings to find it.';
}

export class UnknownGroomer extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'unknown_groomer';
  static readonly meaning = 'No groomer has the id that `groomerId` names.';
  static readonly remedy = 'Correct it; list the groomers to find it.';

  constructor() {
    super('No groomer has the id that `groomerId` names. List the groomers to find it.');
  }
}

export class GroomerBusy extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'groomer_busy';
  static readonly meaning = 'The groomer has another grooming at this time.';
  static readonly remedy = 'Choose another time or another groomer.';

  constructor() {
    super('The groomer has another grooming at this time.');
  }
}
