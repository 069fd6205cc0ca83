import type { Database as SqliteFile } from 'better-sqlite3';
import {
  DataSource,
  type EntityManager,
  QueryFailedError,
  type QueryRunner,
  type ReplicationMode,
} from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { afterCommit, beforeCommit, DatabaseUnavailable, translateError } from './database-errors.js';
import { JoiningEntityManager } from './transactions/joining-entity-manager.js';
import type { HostPools } from './mysql/host-pools.js';
import { MySqlQueryRunner } from './mysql/mysql-query-runner.js';
import type { PoolUsage } from './database-channels.js';
import { type Repeatable, repeatableOf, Retries } from './transactions/retries.js';
import { runLone } from './sqlite/lone-statement.js';
import { SqliteMutex } from './sqlite/sqlite-mutex.js';
import { SqliteQueryRunner } from './sqlite/sqlite-query-runner.js';
import { type Runner, TransactionScopes } from './transactions/transaction-scopes.js';

type Work<Result> = (manager: EntityManager) => Promise<Result>;

/** Clients see the error's message; its cause is for developers who query in a lifecycle hook of Nest, which runs too early. */
const notOpen = () =>
  new DatabaseUnavailable(
    new Error('The database is opened after the modules: ask it in a migration, a job or an interval.'),
  );

/**
 * TypeORM's data source, in which everything that is called inside a transaction joins it: repositories, query builders,
 * `manager.query`, nested transactions. Code without a query runner gets one from `createQueryRunner`, which inside a
 * transaction returns the transaction's own.
 */
export class JoiningDataSource extends DataSource {
  readonly retries = new Retries();
  readonly mutex = new SqliteMutex();
  readonly scopes = new TransactionScopes();
  #open = false;

  /** Allows statements from now on, because the tables exist. */
  open(): void {
    this.#open = true;
  }

  /** Runs `work` with statements allowed before `open`. */
  beforeOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.scopes.runUnchecked(work);
  }

  get insideTransaction(): boolean {
    return this.scopes.runner !== undefined;
  }

  /** Runs `work` as if it were called outside the transaction, which must not wait for it. */
  outsideTransaction<Result>(work: () => Result): Result {
    return this.scopes.runOutside(work);
  }

  /** Runs `work` in a transaction and retries the whole if allowed; inside another transaction it becomes part of that one. */
  async inTransaction<Result>(
    work: () => Promise<Result>,
    repeatable: Repeatable = 'if not executed',
  ): Promise<Result> {
    return this.insideTransaction ? work() : this.retries.run(repeatable, () => this.inNewTransaction(work));
  }

  /** Runs `work` once, in a new transaction. */
  async inNewTransaction<Result>(work: Work<Result>, isolation?: IsolationLevel): Promise<Result> {
    const runner = this.#newRunner();
    runner.guard.hold(() => void this.scopes.runner);
    let isCommitting = false;
    try {
      await runner.startTransaction(isolation);
      const result = await this.scopes.run(runner, () => work(runner.manager));
      isCommitting = runner.guard.isEnding = true;
      await runner.commitTransaction();
      return result;
    } catch (error) {
      runner.guard.isEnding = true;
      // If the rollback fails, the state of the connection is unknown, so it is closed.
      await runner.rollbackTransaction().catch(() => runner.discard());
      throw isCommitting ? afterCommit(error) : beforeCommit(error);
    } finally {
      runner.guard.letGo();
      await runner.release();
    }
  }

  /** The state of the connection pool. */
  usage(): PoolUsage {
    if (!this.isInitialized) return { used: 0, free: 0, waiting: 0 };
    if (this.#pool) return this.#pool.usage();
    const used = Math.min(this.mutex.count, 1);
    return { used, free: 1 - used, waiting: this.mutex.count - used };
  }

  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    return this.scopes.runner ?? this.#newRunner(mode);
  }

  /**
   * A single statement outside a transaction goes directly to the driver unless there are subscribers: TypeORM's runner, its
   * manager and its broadcast cost as much as the statement itself (docs/performance.md).
   */
  override query<Result>(text: string, values?: unknown[], runner?: QueryRunner): Promise<Result> {
    const isLone = !runner && this.#open && this.isInitialized && this.scopes.isFree;
    if (!isLone || this.subscribers.length > 0) return super.query(text, values, runner);
    return this.retries.run(repeatableOf(text), () => this.#ask<Result>(text, values));
  }

  /** Keeps subscribers that are providers: as Nest documents, they register before this, and TypeORM would drop them. */
  override async initialize(): Promise<this> {
    const joined = [...this.subscribers];
    try {
      return await super.initialize();
    } finally {
      this.subscribers.push(...joined.filter((subscriber) => !this.subscribers.includes(subscriber)));
    }
  }

  override createEntityManager(runner?: QueryRunner): EntityManager {
    return new JoiningEntityManager(this, runner);
  }

  /** Without its entities the data source is not usable yet, so the database counts as unavailable. */
  protected override findMetadata(target: Parameters<DataSource['getMetadata']>[0]) {
    if (!this.isInitialized) throw notOpen();
    return super.findMetadata(target);
  }

  get #pool(): HostPools | undefined {
    return this.driver instanceof MysqlDriver ? (this.driver.pool as HostPools | undefined) : undefined;
  }

  #direct(text: string, values: unknown[]): Promise<unknown> {
    if (this.#pool) return this.#pool.query(text, values);
    const { databaseConnection } = this.driver as BetterSqlite3Driver;
    return runLone(databaseConnection as SqliteFile, this.mutex, text, values);
  }

  async #ask<Result>(text: string, values: unknown[] = []): Promise<Result> {
    this.logger.logQuery(text, values);
    try {
      return (await this.#direct(text, values)) as Result;
    } catch (error) {
      this.logger.logQueryError(error as Error, text, values);
      throw translateError(new QueryFailedError(text, values, error as Error));
    }
  }

  #newRunner(mode: ReplicationMode = 'master'): Runner {
    const isAllowed = this.#open || this.scopes.isUnchecked;
    if (!this.isInitialized || !isAllowed) throw notOpen();
    const runner =
      this.driver instanceof MysqlDriver
        ? new MySqlQueryRunner(this.driver, mode, this.retries)
        : new SqliteQueryRunner(this.driver as BetterSqlite3Driver, this.mutex, this.retries);
    runner.manager = this.createEntityManager(runner);
    return runner;
  }
}
