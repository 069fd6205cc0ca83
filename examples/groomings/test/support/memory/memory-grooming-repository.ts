import type { Int64, Page } from '../../../src/kernel/index.js';
import { MemoryUnitOfWork } from './memory-unit-of-work.js';
import { selectedPage } from './selected.js';
import type { Grooming } from '../../../src/groomings/domain/grooming.js';
import {
  GroomingRepository,
  type GroomingSelection,
} from '../../../src/groomings/ports/grooming-repository.js';

/** Keeps groomings in memory, for tests that need no database. */
export class MemoryGroomingRepository extends GroomingRepository {
  readonly #groomings: Map<Int64, Grooming>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#groomings = units.table();
  }

  override add(grooming: Grooming): Promise<void> {
    return this.units.run(async () => {
      if (this.#groomings.has(grooming.id)) throw new Error(`Id ${grooming.id} is taken.`);
      this.#groomings.set(grooming.id, grooming);
    });
  }

  override find(id: Int64): Promise<Grooming | undefined> {
    return this.units.run(async () => this.#groomings.get(id));
  }

  override lockNear({ groomerId }: Grooming): Promise<Grooming[]> {
    return this.units.run(async () =>
      [...this.#groomings.values()].filter((other) => other.groomerId === groomerId),
    );
  }

  override list(selection: GroomingSelection): Promise<Page<Grooming>> {
    return this.units.run(async () => selectedPage(this.#groomings.values(), selection));
  }
}
