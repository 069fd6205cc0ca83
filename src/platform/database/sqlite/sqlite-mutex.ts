import { Mutex } from 'async-mutex';
import type { PoolUsage } from '../database-channels.js';
import { DatabaseUnavailable } from '../errors.js';

/** How long a transaction may block others. */
const MAX_WAIT_MS = 10_000;

/** A fair mutex for SQLite's only connection, held for a statement or a transaction. */
export class SqliteMutex {
  readonly #mutex = new Mutex();
  /** How many callers hold it or wait for it. */
  #count = 0;

  get isFree(): boolean {
    return this.#count === 0;
  }

  usage(): PoolUsage {
    const used = Math.min(this.#count, 1);
    return { used, free: 1 - used, waiting: this.#count - used };
  }

  /** @returns the release function @throws DatabaseUnavailable if a transaction does not end */
  async acquire(): Promise<() => void> {
    this.#count += 1;
    try {
      const release = await this.#mutex.acquire();
      return () => {
        this.#count -= 1;
        release();
      };
    } catch {
      this.#count -= 1;
      throw new DatabaseUnavailable(new Error(HELD));
    }
  }

  /** As `acquire`, for a transaction. Code inside it that waits for its own mutex is rejected after a time. */
  async acquireForTransaction(): Promise<() => void> {
    const release = await this.acquire();
    const timer = setInterval(() => this.#mutex.cancel(), MAX_WAIT_MS).unref();
    return () => {
      clearInterval(timer);
      release();
    };
  }
}

const HELD = `A transaction has held SQLite's one connection for ${MAX_WAIT_MS / 1_000} s. If it waits for a repository: inside a query runner's transaction only that runner's manager is part of it.`;
