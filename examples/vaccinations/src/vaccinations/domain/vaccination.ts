import type { Int64 } from '../../kernel/int64.js';
import { NewVaccination, type NewVaccinationInput, type VaccinationState } from './new-vaccination.js';

/** The stored properties of a vaccination. */
export type VaccinationProps = Omit<Vaccination, 'change' | 'transfer' | 'remind'>;

/** What a client asks to change: what is absent stays, what is there and undefined goes. */
export type VaccinationChange = Partial<NewVaccinationInput>;

/** A vaccination. Immutable: each act returns the vaccination as it is afterwards. */
export class Vaccination {
  readonly id: Int64;
  readonly petId: Int64;
  readonly vaccine: string;
  readonly givenAt: Date;
  readonly dueAt?: Date;
  readonly state: VaccinationState;
  /** When somebody was reminded that it is due. */
  readonly remindedAt?: Date;

  private constructor(props: VaccinationProps) {
    this.id = props.id;
    this.petId = props.petId;
    this.vaccine = props.vaccine;
    this.givenAt = props.givenAt;
    this.dueAt = props.dueAt;
    this.state = props.state;
    this.remindedAt = props.remindedAt;
  }

  /** A new vaccination under its id. */
  static create(id: Int64, newVaccination: NewVaccination): Vaccination {
    return new Vaccination({ id, ...newVaccination });
  }

  /** Restores a stored vaccination. Today's policy does not apply to rows of yesterday. */
  static restore(props: VaccinationProps): Vaccination {
    return new Vaccination(props);
  }

  /** As it is after a change, which has to meet today's policy as a whole. @throws InvalidInput */
  change(change: VaccinationChange): Vaccination {
    const changed = NewVaccination.from({ ...this, ...change });
    // What is due at another time is worth another reminder.
    const isDueThen = changed.dueAt?.getTime() === this.dueAt?.getTime();
    return new Vaccination({ ...changed, id: this.id, remindedAt: isDueThen ? this.remindedAt : undefined });
  }

  /** Its animal is sold: what is open is the business of whoever has it. */
  transfer(): Vaccination {
    return this.state === 'open' ? new Vaccination({ ...this, state: 'transferred' }) : this;
  }

  /** Somebody is reminded that it is due. */
  remind(now: Date): Vaccination {
    return new Vaccination({ ...this, remindedAt: now });
  }
}
