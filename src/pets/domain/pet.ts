import type { Int64, Properties } from '../../kernel/index.js';
import type { NewPet } from './new-pet.js';
import { InvalidTransition, PetNotAvailable } from './pet-errors.js';
import { canTransition, type PetStatus } from './pet-status.js';

/** The stored properties of a pet. */
export type PetProps = Properties<Pet>;

/** A pet of the catalogue. Immutable: each method returns the next state of the pet. */
export class Pet {
  readonly id: Int64;
  readonly name: string;
  readonly categoryId: Int64;
  readonly status: PetStatus;

  private constructor(id: Int64, props: Omit<PetProps, 'id'>) {
    this.id = id;
    this.name = props.name;
    this.categoryId = props.categoryId;
    this.status = props.status;
  }

  /** Creates the pet from a new pet and its id. */
  static create(id: Int64, newPet: NewPet): Pet {
    return new Pet(id, newPet.props);
  }

  /** Restores a stored pet, without applying today's policy: old rows stay valid. */
  static restore(props: PetProps): Pet {
    return new Pet(props.id, props);
  }

  /** Reserves the pet. @throws PetNotAvailable if it is not available */
  reserve(): Pet {
    if (this.status !== 'available') throw new PetNotAvailable(this.id, this.status);
    return this.transitionTo('pending');
  }

  /** Makes a reserved pet available again. @throws InvalidTransition */
  release(): Pet {
    return this.transitionTo('available');
  }

  /** Marks the pet as sold. @throws InvalidTransition */
  sell(): Pet {
    return this.transitionTo('sold');
  }

  private transitionTo(status: PetStatus): Pet {
    if (!canTransition(this.status, status)) throw new InvalidTransition(this.id, this.status, status);
    return new Pet(this.id, { ...this, status });
  }
}
