import type { Int64, Properties } from '../../kernel/index.js';
import { NewVaccination, type NewVaccinationInput, type VaccinationState } from './new-vaccination.js';

/** The changes that a client requests. Absent fields are not changed, and fields that are undefined are removed. */
export type VaccinationChange = Partial<NewVaccinationInput>;

/** A vaccination. Immutable: each method returns the next state of the vaccination. */
export class Vaccination {
  readonly id!: Int64;
  readonly petId!: Int64;
  readonly vaccine!: string;
  readonly givenAt!: Date;
  readonly dueAt?: Date;
  readonly state!: VaccinationState;
  /** When its reminder was published. */
  readonly remindedAt?: Date;

  private constructor(properties: Properties<Vaccination>) {
    Object.assign(this, properties);
  }

  /** Creates a vaccination with its id. */
  static create(id: Int64, newVaccination: NewVaccination): Vaccination {
    return new Vaccination({ ...newVaccination.props, id });
  }

  /** The vaccination after a change, which must meet today's policy as a whole. @throws InvalidInput */
  change(change: VaccinationChange): Vaccination {
    const changed = NewVaccination.from({ ...this, ...change }).props;
    // A new due date needs a new reminder.
    const isDueThen = changed.dueAt?.getTime() === this.dueAt?.getTime();
    return new Vaccination({ ...changed, id: this.id, remindedAt: isDueThen ? this.remindedAt : undefined });
  }

  /** Transfers an open vaccination to the new owner of a sold pet. */
  transfer(): Vaccination {
    return this.state === 'open' ? new Vaccination({ ...this, state: 'transferred' }) : this;
  }

  /** Records that a reminder was sent. */
  remind(now: Date): Vaccination {
    return new Vaccination({ ...this, remindedAt: now });
  }
}
