import { Mutex } from 'async-mutex';

/** A fair mutex of SQLite's one connection, held for a statement or a transaction. */
export class SqliteMutex {
  readonly #mutex = new Mutex();
  #count = 0;

  /** How many callers hold it or wait for it. */
  get count(): number {
    return this.#count;
  }

  /** @returns a function that releases it */
  async acquire(): Promise<() => void> {
    this.#count += 1;
    const release = await this.#mutex.acquire();
    return () => {
      this.#count -= 1;
      release();
    };
  }
}
