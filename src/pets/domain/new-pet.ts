import { InvalidInput, type Problem } from '../../kernel/domain-error.js';
import type { Int64 } from '../../kernel/int64.js';
import { objectionsToName } from './pet-name.js';
import type { PetStatus } from './pet-status.js';

/** What somebody asks for, well-shaped but not judged yet. */
export interface PetWish {
  readonly name: string;
  readonly categoryId: Int64;
  readonly status?: PetStatus;
}

/** An animal that the policy admits to the catalogue. */
export class NewPet {
  private constructor(
    readonly name: string,
    readonly categoryId: Int64,
    readonly status: PetStatus,
  ) {}

  /** Judges a wish by today's policy. An animal without a status is available. @throws InvalidInput */
  static from(wish: PetWish): NewPet {
    const objections = NewPet.objectionsTo(wish);
    if (objections.length > 0) throw new InvalidInput(objections);
    return new NewPet(wish.name, wish.categoryId, wish.status ?? 'available');
  }

  /** Everything the policy holds against those parts of a wish that are there. */
  static objectionsTo(wish: Partial<PetWish>): Problem[] {
    return wish.name === undefined ? [] : objectionsToName(wish.name);
  }
}
