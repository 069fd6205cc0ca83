import { AsyncLocalStorage } from 'node:async_hooks';
import { Mutex } from 'async-mutex';
import { UnitOfWork } from '../../../src/kernel/unit-of-work.js';

/** Units of work over tables in memory, which run one at a time; one that fails restores every table. */
export class MemoryUnitOfWork extends UnitOfWork {
  readonly #tables: Map<unknown, unknown>[] = [];
  readonly #mutex = new Mutex();
  /** All stores share one, because Node.js 20 passes each storage that was ever used from promise to promise. */
  static readonly #inside = new AsyncLocalStorage<MemoryUnitOfWork>();

  /** A table that takes part in the units of work. Its repository runs each operation as a unit. */
  table<Key, Row>(): Map<Key, Row> {
    const table = new Map<Key, Row>();
    this.#tables.push(table);
    return table;
  }

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (MemoryUnitOfWork.#inside.getStore() === this) return work();
    return this.#mutex.runExclusive(() => MemoryUnitOfWork.#inside.run(this, () => this.#undoable(work)));
  }

  async #undoable<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#tables.map((table) => new Map(table));
    try {
      return await work();
    } catch (error) {
      this.#tables.forEach((table, i) => {
        table.clear();
        for (const [key, row] of before[i]!) table.set(key, row);
      });
      throw error;
    }
  }
}
