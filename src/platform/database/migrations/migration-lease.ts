import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { JoiningDataSource } from '../data-source.js';
import { DatabaseUnavailable, DuplicateKey } from '../errors.js';
import type { ErrorClass } from '../error-table.js';

const LEASE_MS = 30_000;
const RENEWAL_INTERVAL_MS = 10_000;
const POLL_INTERVAL_MS = 200;
/** Errors that another process may cause; waiting does not help against others. */
const MAY_BE_HELD: ReadonlySet<ErrorClass> = new Set(['conflict', 'rolled_back', 'lost']);

/**
 * The right to change the schema, which only one process has at a time. It is a row with a fixed primary key, which works on
 * every engine and on every node of a cluster, unlike GET_LOCK. The holder renews it; if the holder dies, it lapses after 30 s.
 * It uses SQL, because its table exists before any migration has run.
 */
@Injectable()
export class MigrationLease {
  readonly #holder = randomUUID();
  #isAwaited = false;

  constructor(
    private readonly source: JoiningDataSource,
    private readonly clock: Clock,
  ) {}

  /** Whether this process waits for another one that holds it. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Acquires the lease, waiting if necessary, and runs `work` with it. */
  hold<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.source.beforeOpen(async () => {
      await this.source.query(
        `CREATE TABLE IF NOT EXISTS migration_lease (
           id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(64) NOT NULL, lapses_at BIGINT NOT NULL)`,
      );
      await this.#take();
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

  async #take(): Promise<void> {
    try {
      while (!(await this.#tryToTake())) {
        this.#isAwaited = true;
        await sleep(POLL_INTERVAL_MS);
      }
    } finally {
      this.#isAwaited = false;
    }
  }

  async #tryToTake(): Promise<boolean> {
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
      if (error instanceof DatabaseUnavailable && MAY_BE_HELD.has(error.errorClass)) return false;
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
