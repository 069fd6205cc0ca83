import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EntitySchema, LessThan, type Repository } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { JoiningDataSource } from '../data-source.js';
import { DatabaseUnavailable, DuplicateKey } from '../database-errors.js';

const LEASE_MS = 30_000;
const RENEWAL_INTERVAL_MS = 10_000;
const POLL_INTERVAL_MS = 200;

interface Lease {
  readonly id: number;
  readonly holder: string;
  /** In milliseconds since 1970. */
  readonly lapsesAt: number;
}

/** Its table is made by the lease itself, in the same words on both engines. */
export const MigrationLeaseSchema = new EntitySchema<Lease>({
  name: 'MigrationLease',
  tableName: 'migration_lease',
  columns: {
    id: { type: 'integer', primary: true },
    holder: { type: 'varchar', length: 64 },
    lapsesAt: { type: 'bigint', name: 'lapses_at' },
  },
});

/**
 * Lets one process at a time change the schema. The lock is a row under a primary key, which holds on every engine and on
 * every node of a cluster, unlike GET_LOCK. The holder renews it; when the holder dies, it lapses after 30 s.
 */
@Injectable()
export class MigrationLease {
  readonly #holder = randomUUID();
  readonly #leases: Repository<Lease>;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {
    this.#leases = source.getRepository(MigrationLeaseSchema);
  }

  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#acquire();
    const renewal = setInterval(() => {
      this.#renew().catch(() => undefined); // retried at the next interval, well before the lease lapses
    }, RENEWAL_INTERVAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      await this.#leases.delete({ holder: this.#holder });
    }
  }

  async #acquire(): Promise<void> {
    // By hand: a migration cannot make the table under whose lock migrations run.
    await this.source.query(
      `CREATE TABLE IF NOT EXISTS migration_lease (
         id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL, lapses_at BIGINT NOT NULL)`,
    );
    while (!(await this.#tryToAcquire())) {
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
  }

  async #tryToAcquire(): Promise<boolean> {
    const now = this.clock.now();
    const holder = this.#holder;
    try {
      await this.#leases.delete({ lapsesAt: LessThan(now) });
      await this.#leases.delete({ holder });
      await this.#leases.insert({ id: 1, holder, lapsesAt: now + LEASE_MS });
      return true;
    } catch (error) {
      // Somebody else holds it, or the engine let somebody else go first.
      if (error instanceof DuplicateKey || error instanceof DatabaseUnavailable) return false;
      throw error;
    }
  }

  async #renew(): Promise<void> {
    await this.#leases.update({ holder: this.#holder }, { lapsesAt: this.clock.now() + LEASE_MS });
  }
}
