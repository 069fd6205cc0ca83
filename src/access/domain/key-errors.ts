import { DomainError, type Int64 } from '../../kernel/index.js';

export class KeyNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'key_not_found';

  constructor(id: Int64) {
    super(`No key has the id ${id}. "petstore keys list" shows all of them.`);
  }
}

export class KeyNotUsable extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'key_not_usable';

  constructor(id: Int64, state: string) {
    super(`Key ${id} is ${state}. Issue a new one instead.`);
  }
}

export class UnknownScopes extends DomainError {
  static readonly kind = 'invalid';
  static readonly code = 'unknown_scopes';

  constructor(scopes: readonly string[], declared: readonly string[]) {
    super(
      `No operation asks for ${scopes.join(', ') || 'an empty scope'}. There are ${declared.join(', ')}.`,
    );
  }
}
