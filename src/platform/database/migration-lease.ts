import type { DataSource } from 'typeorm';
import type { Clock } from '../../kernel/clock.js';
import { DatabaseUnavailable, DuplicateKey, translated } from './database-errors.js';

const LEASE = 30_000;
const RENEWAL = 10_000;
const PATIENCE = 200;

/**
 * Lets one process at a time change the schema. The lock is a row under a primary key, which holds on every engine and on
 * every node of a cluster, unlike GET_LOCK. The holder renews it; when the holder dies, it lapses after 30 s.
 */
export class MigrationLease {
  readonly #holder: string;

  constructor(
    private readonly source: DataSource,
    private readonly clock: Clock,
    holder: string,
  ) {
    this.#holder = holder;
  }

  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#acquire();
    const renewal = setInterval(() => {
      this.#renew().catch(() => undefined); // tried again at the next turn, well before the lease lapses
    }, RENEWAL);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await this.source.query('DELETE FROM migration_lease WHERE holder = ?', [this.#holder]);
    }
  }

  async #acquire(): Promise<void> {
    await this.source.query(
      `CREATE TABLE IF NOT EXISTS migration_lease (
         id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL, lapses_at BIGINT NOT NULL)`,
    );
    while (!(await this.#tryToAcquire())) {
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    }
  }

  async #tryToAcquire(): Promise<boolean> {
    const now = this.clock.now();
    try {
      await this.source.query('DELETE FROM migration_lease WHERE lapses_at < ? OR holder = ?', [
        now,
        this.#holder,
      ]);
      await this.source.query('INSERT INTO migration_lease (id, holder, lapses_at) VALUES (1, ?, ?)', [
        this.#holder,
        now + LEASE,
      ]);
      return true;
    } catch (error) {
      const reason = translated(error);
      // Somebody else holds it, or the engine let somebody else go first.
      if (reason instanceof DuplicateKey || reason instanceof DatabaseUnavailable) return false;
      throw error;
    }
  }

  async #renew(): Promise<void> {
    await this.source.query('UPDATE migration_lease SET lapses_at = ? WHERE holder = ?', [
      this.clock.now() + LEASE,
      this.#holder,
    ]);
  }
}
