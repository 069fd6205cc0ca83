import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { JoiningDataSource } from '../data-source.js';
import { DatabaseUnavailable, DuplicateKey } from '../database-errors.js';

const LEASE_MS = 30_000;
const RENEWAL_INTERVAL_MS = 10_000;
const POLL_INTERVAL_MS = 200;

/**
 * Lets one process at a time change the schema. The lock is a row under a primary key, which holds on every engine and on
 * every node of a cluster, unlike GET_LOCK. The holder renews it; when the holder dies, it lapses after 30 s. In SQL, because
 * its table exists before any migration has run.
 */
@Injectable()
export class MigrationLease {
  readonly #holder = randomUUID();

  constructor(
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {}

  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.source.query(
      `CREATE TABLE IF NOT EXISTS migration_lease (
         id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL, lapses_at BIGINT NOT NULL)`,
    );
    while (!(await this.#tryToAcquire())) await sleep(POLL_INTERVAL_MS);
    const renewal = setInterval(() => {
      this.#renew().catch(() => undefined); // retried at the next interval, well before the lease lapses
    }, RENEWAL_INTERVAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await this.source.query('DELETE FROM migration_lease WHERE holder = ?', [this.#holder]);
    }
  }

  async #tryToAcquire(): Promise<boolean> {
    const now = this.clock.now();
    const values = [this.#holder, now + LEASE_MS];
    try {
      await this.source.query('DELETE FROM migration_lease WHERE holder = ? OR lapses_at < ?', [
        this.#holder,
        now,
      ]);
      await this.source.query('INSERT INTO migration_lease (id, holder, lapses_at) VALUES (1, ?, ?)', values);
      return true;
    } catch (error) {
      // Another process holds it, or the engine let another one go first.
      if (error instanceof DuplicateKey || error instanceof DatabaseUnavailable) return false;
      throw error;
    }
  }

  async #renew(): Promise<void> {
    const lapsesAt = this.clock.now() + LEASE_MS;
    await this.source.query('UPDATE migration_lease SET lapses_at = ? WHERE holder = ?', [
      lapsesAt,
      this.#holder,
    ]);
  }
}
