import { InvalidInput, type Problem } from '../../kernel/domain-error.js';
import type { Int64 } from '../../kernel/int64.js';
import { validatePetName } from './pet-name.js';
import type { PetStatus } from './pet-status.js';

/** What a client asks to add: well-shaped, not validated yet. A pet without a status is available. */
export interface NewPetInput {
  readonly name: string;
  readonly categoryId: Int64;
  readonly status?: PetStatus;
}

/** A pet that the policy accepts into the catalogue. */
export class NewPet {
  private constructor(readonly props: NewPetInput & { readonly status: PetStatus }) {}

  /** Applies today's policy to an input. @throws InvalidInput */
  static from(input: NewPetInput): NewPet {
    const problems = NewPet.validate(input);
    if (problems.length > 0) throw new InvalidInput(problems);
    const props = { status: 'available' as PetStatus, ...input };
    // Whoever maps an input may leave an absent field undefined.
    props.status ??= 'available';
    return new NewPet(props);
  }

  /** All problems that the policy finds in the fields that are present. */
  static validate(input: Partial<NewPetInput>): Problem[] {
    return input.name === undefined ? [] : validatePetName(input.name);
  }
}
