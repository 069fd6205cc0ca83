import { Mutex } from 'async-mutex';

/** Lets one statement, or one transaction, at a time use SQLite's one connection: first come, first served. */
export class SqliteMutex {
  readonly #mutex = new Mutex();
  #count = 0;

  /** How many have it or wait for it. */
  get count(): number {
    return this.#count;
  }

  /** @returns what gives it back */
  async acquire(): Promise<() => void> {
    this.#count += 1;
    const release = await this.#mutex.acquire();
    return () => {
      this.#count -= 1;
      release();
    };
  }
}
