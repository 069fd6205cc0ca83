import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MigrationExecutor } from 'typeorm';
import { Clock } from '../../../kernel/clock.js';
import { JoiningDataSource } from '../data-source.js';
import { DatabaseUnavailable, DuplicateKey } from '../database-errors.js';

const LEASE_MS = 30_000;
const RENEWAL_INTERVAL_MS = 10_000;
const POLL_INTERVAL_MS = 200;

/** One migration and whether this database has it. */
export interface MigrationState {
  readonly name: string;
  readonly applied: boolean;
}

/**
 * Brings the schema forwards and back, one process at a time. The lock is a row under a primary key, which holds on every
 * engine and on every node of a cluster, unlike GET_LOCK. The holder renews it; when the holder dies, it lapses after 30 s. It
 * is in SQL, because its table exists before any migration has run.
 */
@Injectable()
export class Migrator {
  readonly #holder = randomUUID();

  constructor(
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {}

  /** Applies what is missing, oldest first. @returns the names of what was applied */
  migrate(): Promise<string[]> {
    return this.#withLock(async () => {
      const applied = await this.source.runMigrations({ transaction: 'each' });
      return applied.map(({ name }) => name);
    });
  }

  /** Takes back the newest applied migration. @returns its name, or undefined when none was applied */
  revert(): Promise<string | undefined> {
    return this.#withLock(async () => {
      const newest = (await this.status()).findLast(({ applied }) => applied);
      if (newest) await this.source.undoLastMigration({ transaction: 'each' });
      return newest?.name;
    });
  }

  /** Every migration of this version of the service, oldest first. */
  async status(): Promise<MigrationState[]> {
    const executor = new MigrationExecutor(this.source);
    const executed = await this.source.beforeOpen(() => executor.getExecutedMigrations());
    const applied = new Set(executed.map(({ name }) => name));
    return this.source.migrations
      .map((migration) => migration.name ?? migration.constructor.name)
      .sort((a, b) => writtenAt(a) - writtenAt(b))
      .map((name) => ({ name, applied: applied.has(name) }));
  }

  async isUpToDate(): Promise<boolean> {
    return (await this.status()).every(({ applied }) => applied);
  }

  #withLock<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.source.beforeOpen(async () => {
      await this.source.query(
        `CREATE TABLE IF NOT EXISTS migration_lease (
           id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL, lapses_at BIGINT NOT NULL)`,
      );
      while (!(await this.#tryToLock())) await sleep(POLL_INTERVAL_MS);
      const renewal = setInterval(() => {
        this.#renew().catch(() => undefined); // retried at the next interval, well before the lease lapses
      }, RENEWAL_INTERVAL_MS);
      try {
        return await work();
      } finally {
        clearInterval(renewal);
        await this.source.query('DELETE FROM migration_lease WHERE holder = ?', [this.#holder]);
      }
    });
  }

  async #tryToLock(): Promise<boolean> {
    const [now, holder] = [this.clock.now(), this.#holder];
    try {
      await this.source.query('DELETE FROM migration_lease WHERE holder = ? OR lapses_at < ?', [holder, now]);
      await this.source.query('INSERT INTO migration_lease (id, holder, lapses_at) VALUES (1, ?, ?)', [
        holder,
        now + LEASE_MS,
      ]);
      return true;
    } catch (error) {
      // Another process holds it, or the engine let another one go first.
      if (error instanceof DuplicateKey) return false;
      if (error instanceof DatabaseUnavailable && !error.needsOperator) return false;
      throw error;
    }
  }

  #renew(): Promise<unknown> {
    const lapsesAt = this.clock.now() + LEASE_MS;
    return this.source.query('UPDATE migration_lease SET lapses_at = ? WHERE holder = ?', [
      lapsesAt,
      this.#holder,
    ]);
  }
}

/** TypeORM's convention: the name of a migration ends in the milliseconds since 1970 at which it was written. */
const writtenAt = (name: string) => Number(name.slice(-13));
