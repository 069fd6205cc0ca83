import type { Int64, Properties } from '../../kernel/index.js';
import type { NewPet } from './new-pet.js';
import { InvalidPetTransition, PetNotAvailable } from './pet-errors.js';
import { canTransition, type PetStatus } from './pet-status.js';

/** A pet of the catalogue. Immutable: each method returns the next state of the pet. */
export class Pet {
  readonly id!: Int64;
  readonly name!: string;
  readonly categoryId!: Int64;
  readonly status!: PetStatus;

  private constructor(properties: Properties<Pet>) {
    Object.assign(this, properties);
  }

  /** Creates a pet with its id. */
  static create(id: Int64, newPet: NewPet): Pet {
    return new Pet({ ...newPet.props, id });
  }

  /** Restores a stored pet, without applying today's policy: old rows stay valid. */
  static restore(properties: Properties<Pet>): Pet {
    return new Pet(properties);
  }

  /** Reserves the pet. @throws PetNotAvailable if it is not available */
  reserve(): Pet {
    if (this.status !== 'available') throw new PetNotAvailable(this.id, this.status);
    return this.transitionTo('pending');
  }

  /** Makes a reserved pet available again. @throws InvalidPetTransition */
  release(): Pet {
    return this.transitionTo('available');
  }

  /** Marks the pet as sold. @throws InvalidPetTransition */
  sell(): Pet {
    return this.transitionTo('sold');
  }

  private transitionTo(status: PetStatus): Pet {
    if (!canTransition(this.status, status)) throw new InvalidPetTransition(this.id, this.status, status);
    return new Pet({ ...this, status });
  }
}
