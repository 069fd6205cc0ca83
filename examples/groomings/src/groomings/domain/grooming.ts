import type { Int64, Properties } from '../../kernel/index.js';
import type { NewGrooming } from './new-grooming.js';

/** A grooming. Immutable: each method returns the next state of the grooming. */
export class Grooming {
  readonly id!: Int64;
  readonly groomerId!: Int64;
  readonly startsAt!: Date;
  readonly minutes!: number;

  private constructor(properties: Properties<Grooming>) {
    Object.assign(this, properties);
  }

  /** Creates a grooming with its id. */
  static create(id: Int64, newGrooming: NewGrooming): Grooming {
    return new Grooming({ ...newGrooming.props, id });
  }

  /** Whether both groomings need the groomer at the same time. */
  overlaps({ startsAt, minutes }: Pick<Grooming, 'startsAt' | 'minutes'>): boolean {
    const endOf = (start: Date, length: number) => start.getTime() + length * 60_000;
    return (
      startsAt.getTime() < endOf(this.startsAt, this.minutes) &&
      this.startsAt.getTime() < endOf(startsAt, minutes)
    );
  }
}
