import { Mutex, withTimeout } from 'async-mutex';
import type { PoolUsage } from '../database-channels.js';
import { DatabaseUnavailable } from '../errors.js';

/** How long a caller waits for its turn. A unit of work takes less time. */
const MAX_WAIT_MS = 6_000;
const HELD = new Error(
  `SQLite's one connection was not free for ${MAX_WAIT_MS / 1_000} s. If a transaction waits for a repository: inside a query runner's transaction only that runner's manager is part of it.`,
);

/** A fair mutex for SQLite's only connection, held for a statement or a transaction. */
export class SqliteMutex {
  readonly #mutex = new Mutex();
  readonly #impatient = withTimeout(this.#mutex, MAX_WAIT_MS);
  /** How many callers hold it or wait for it. */
  #count = 0;

  get isFree(): boolean {
    return this.#count === 0;
  }

  usage(): PoolUsage {
    const used = Math.min(this.#count, 1);
    return { used, free: 1 - used, waiting: this.#count - used };
  }

  /** @returns the release function @throws DatabaseUnavailable if it takes too long, also for code that waits for itself */
  async acquire(): Promise<() => void> {
    const turn = this.isFree ? this.#mutex : this.#impatient;
    this.#count += 1;
    try {
      const release = await turn.acquire();
      return () => {
        this.#count -= 1;
        release();
      };
    } catch {
      this.#count -= 1;
      throw new DatabaseUnavailable(HELD);
    }
  }
}
