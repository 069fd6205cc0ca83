import type { Int64 } from '../../kernel/int64.js';
import type { NewPet } from './new-pet.js';
import { InvalidTransition, PetNotAvailable } from './pet-errors.js';
import { mayBecome, type PetStatus } from './pet-status.js';

/** The facts of an animal, as they were stored. */
export interface PetFacts {
  readonly id: Int64;
  readonly name: string;
  readonly categoryId: Int64;
  readonly status: PetStatus;
}

/** An animal of the catalogue. It never changes: each act answers with the animal as it is afterwards. */
export class Pet {
  private constructor(
    readonly id: Int64,
    readonly name: string,
    readonly categoryId: Int64,
    readonly status: PetStatus,
  ) {}

  /** Takes an animal into the catalogue under its new id. */
  static admit(id: Int64, newPet: NewPet): Pet {
    return new Pet(id, newPet.name, newPet.categoryId, newPet.status);
  }

  /** Remembers a stored animal. Today's policy has no say here: yesterday's row is a fact. */
  static restore(facts: PetFacts): Pet {
    return new Pet(facts.id, facts.name, facts.categoryId, facts.status);
  }

  /** Holds the animal for somebody. @throws PetNotAvailable unless it is available */
  reserve(): Pet {
    if (this.status !== 'available') throw new PetNotAvailable(this.id, this.status);
    return this.become('pending');
  }

  /** Gives a held animal back to the catalogue. @throws InvalidTransition */
  release(): Pet {
    return this.become('available');
  }

  /** Hands the animal over for good. @throws InvalidTransition */
  sell(): Pet {
    return this.become('sold');
  }

  private become(status: PetStatus): Pet {
    if (!mayBecome(this.status, status)) throw new InvalidTransition(this.id, this.status, status);
    return new Pet(this.id, this.name, this.categoryId, status);
  }
}
