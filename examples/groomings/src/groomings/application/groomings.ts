import type { Int64, Page, Sequence, UnitOfWork } from '../../kernel/index.js';
import { NewGrooming, type NewGroomingInput } from '../domain/new-grooming.js';
import { GroomerBusy, GroomingNotFound, UnknownGroomer } from '../domain/grooming-errors.js';
import { Grooming } from '../domain/grooming.js';
import type { GroomerRepository } from '../ports/groomer-repository.js';
import type { GroomingRepository, GroomingSelection } from '../ports/grooming-repository.js';

/** All use cases of groomings. */
export class Groomings {
  constructor(
    private readonly repository: GroomingRepository,
    private readonly groomers: GroomerRepository,
    private readonly ids: Sequence,
    private readonly units: UnitOfWork,
  ) {}

  /** One page of groomings. It is empty if nothing matches. */
  list(selection: GroomingSelection): Promise<Page<Grooming>> {
    return this.repository.list(selection);
  }

  /** Adds a grooming, unless its groomer has another grooming at the same time. @throws InvalidInput, UnknownGroomer, GroomerBusy */
  async add(input: NewGroomingInput): Promise<Grooming> {
    const grooming = Grooming.create(await this.ids.next(), NewGrooming.from(input));
    return this.units.run(async () => {
      // The lock makes concurrent additions for one groomer wait for each other.
      if (!(await this.groomers.lock(grooming.groomerId))) throw new UnknownGroomer();
      const near = await this.repository.lockNear(grooming);
      if (near.some((other) => other.overlaps(grooming))) throw new GroomerBusy();
      await this.repository.add(grooming);
      return grooming;
    });
  }

  /** @throws GroomingNotFound */
  async get(id: Int64): Promise<Grooming> {
    const grooming = await this.repository.find(id);
    if (!grooming) throw new GroomingNotFound();
    return grooming;
  }
}
