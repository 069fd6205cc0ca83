import type { Int64, Page } from '../../../src/kernel/index.js';
import { MemoryUnitOfWork } from './memory-unit-of-work.js';
import { selectedPage } from './selected.js';
import type { Groomer } from '../../../src/groomings/domain/groomer.js';
import { GroomerRepository, type GroomerSelection } from '../../../src/groomings/ports/groomer-repository.js';

/** Keeps groomers in memory, for tests that need no database. */
export class MemoryGroomerRepository extends GroomerRepository {
  readonly #groomers: Map<Int64, Groomer>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#groomers = units.table();
  }

  override add(groomer: Groomer): Promise<void> {
    return this.units.run(async () => {
      if (this.#groomers.has(groomer.id)) throw new Error(`Id ${groomer.id} is taken.`);
      this.#groomers.set(groomer.id, groomer);
    });
  }

  override find(id: Int64): Promise<Groomer | undefined> {
    return this.units.run(async () => this.#groomers.get(id));
  }

  override lock(id: Int64): Promise<boolean> {
    return this.units.run(async () => this.#groomers.has(id));
  }

  override list(selection: GroomerSelection): Promise<Page<Groomer>> {
    return this.units.run(async () => selectedPage(this.#groomers.values(), selection));
  }
}
