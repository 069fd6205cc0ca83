import { type Int64, InvalidInput, validateText } from '../../kernel/index.js';
import type { PetStatus } from './pet-status.js';

/** The maximum length of a name, in code points. */
export const MAX_PET_NAME = 255;

/** The pet that a client asks to add, not validated by the policy yet. A pet without a status is available. */
export interface NewPetInput {
  readonly name: string;
  readonly categoryId: Int64;
  readonly status?: PetStatus;
}

/** A new pet that fulfils the policy: its name is a text of 1 to `MAX_PET_NAME` characters, kept byte for byte. */
export class NewPet {
  private constructor(readonly props: NewPetInput & { readonly status: PetStatus }) {}

  /** Applies today's policy to an input. @throws InvalidInput */
  static from(input: NewPetInput): NewPet {
    const problems = validateText('name', input.name, MAX_PET_NAME);
    if (problems.length > 0) throw new InvalidInput(problems);
    return new NewPet({ ...input, status: input.status ?? 'available' });
  }
}
