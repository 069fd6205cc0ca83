import type { Database as SqliteFile } from 'better-sqlite3';
import {
  DataSource,
  type DataSourceOptions,
  type EntityManager,
  EntitySchema,
  QueryFailedError,
  type QueryRunner,
  type ReplicationMode,
} from 'typeorm';
import { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { PoolUsage } from './database-channels.js';
import { JoiningEntityManager, type Work } from './transactions/entity-manager.js';
import { DatabaseNotOpen, type DatabaseUnavailable, translateError } from './errors.js';
import type { HostPools } from './mysql/host-pools.js';
import { MySqlDriver } from './mysql/mysql-driver.js';
import { MySqlQueryRunner } from './mysql/mysql-query-runner.js';
import { type Repeatable, repeatableOf, Retries } from './retries.js';
import { type Runner, TransactionScope, TransactionScopes } from './transactions/transaction-scope.js';
import { UnreleasedRunners } from './transactions/unreleased-runners.js';
import { runLone } from './sqlite/statements.js';
import { SqliteMutex } from './sqlite/sqlite-mutex.js';
import { SqliteQueryRunner } from './sqlite/sqlite-query-runner.js';
import { StrictSqliteDriver } from './sqlite/strict-driver.js';

/** A row becomes an object without its constructor, which alone makes `#private` members; they are known by the text of the class. */
function checkMembers(entity: unknown): void {
  const type = entity instanceof EntitySchema ? entity.options.target : entity;
  if (typeof type !== 'function' || !/^\s*(?:async |get |set |\*)*#\w+\s*[(;=]/m.test(String(type))) return;
  const what = `${type.name} has #private members, which a row that is read from the database lacks`;
  throw new Error(`${what}: write "private" instead.`);
}

/**
 * TypeORM's data source, in which everything that is called inside a transaction joins it: repositories, query builders,
 * `manager.query`, nested transactions. Code without a query runner gets one from `createQueryRunner`, which inside a
 * transaction returns the transaction's own.
 */
export class JoiningDataSource extends DataSource implements UnitOfWork {
  readonly retries = new Retries();
  readonly unreleased = new UnreleasedRunners();
  protected readonly mutex = new SqliteMutex();
  readonly #scopes = new TransactionScopes();
  /** Refuses every statement while it is set. */
  refusal: DatabaseUnavailable | undefined;
  #isOpen = false;

  constructor(options: DataSourceOptions) {
    super(options);
    this.driver = options.type === 'mysql' ? new MySqlDriver(this) : new StrictSqliteDriver(this);
  }

  /** Allows statements from now on, because the tables exist. */
  open(): void {
    this.#isOpen = true;
    this.unreleased.watch();
  }

  /** Runs `work` with statements allowed before `open`. */
  beforeOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#scopes.run(new TransactionScope(), work);
  }

  /** @throws Error in failed work that still runs: what it does would be stored */
  get insideTransaction(): boolean {
    return this.#scope?.runner !== undefined;
  }

  /** Runs `work` as if it were called outside the transaction, which must not wait for it. */
  outsideTransaction<Result>(work: () => Result): Result {
    return this.#scopes.exit(work);
  }

  /** Runs `work` in a transaction and retries the whole if allowed; inside another transaction it becomes part of that one. */
  async run<Result>(
    work: () => Promise<Result>,
    repeatable: Repeatable = 'if not executed',
  ): Promise<Result> {
    return this.insideTransaction ? work() : this.retries.run(repeatable, () => this.runOnce(work));
  }

  /**
   * Repeats statements that may be executed twice, also if the outcome is unknown, outside of transactions. They go through `manager`,
   * and are repeated together.
   */
  repeat<Result>(work: Work<Result>): Promise<Result> {
    const once = async () => {
      const runner = this.#newRunner();
      runner.isRepeated = true;
      return work(runner.manager).finally(() => runner.release());
    };
    return this.retries.run('always', once, true);
  }

  /** Runs `work` in a new transaction, without a retry. */
  async runOnce<Result>(work: Work<Result>, isolation?: IsolationLevel): Promise<Result> {
    return this.#scopes.runUnit(this.#newRunner(), work, isolation);
  }

  /** Calls `begin` to create a savepoint, one at a time for each transaction; without one on the runner of another. */
  async runNested<Result>(
    runner: QueryRunner | undefined,
    begin: (joined: (work: () => Promise<Result>) => Promise<Result>) => Promise<Result>,
  ): Promise<Result> {
    const outer = this.#scope;
    if (!outer?.runner || (runner && runner !== outer.runner)) return begin((work) => work());
    return outer.turns.runExclusive(() =>
      begin((work) => this.#scopes.run(new TransactionScope(outer.runner, outer), work)),
    );
  }

  /** The state of the connection pool. */
  usage(): PoolUsage {
    if (!this.isInitialized) return { used: 0, free: 0, waiting: 0 };
    return this.#pool?.usage() ?? this.mutex.usage();
  }

  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    return this.#scope?.runner ?? this.unreleased.add(this.#newRunner(mode), this.createQueryRunner);
  }

  /**
   * A single statement outside a transaction goes directly to the driver unless there are subscribers: TypeORM's runner, its
   * manager and its broadcast cost as much as the statement itself (docs/decisions/0073-typeorm.md).
   */
  override query<Result>(text: string, values?: unknown[], runner?: QueryRunner): Promise<Result> {
    if (this.refusal) return Promise.reject(this.refusal);
    const isRepeated = (runner as Runner | undefined)?.isRepeated === true;
    const isLone = (!runner || isRepeated) && this.#isOpen && this.isInitialized && !this.#scopes.own;
    if (!isLone || this.subscribers.length > 0) return super.query(text, values, runner);
    const ask = () => this.#ask<Result>(text, values);
    return isRepeated ? ask() : this.retries.run(repeatableOf(text), ask);
  }

  /** Keeps subscribers that are providers: as Nest documents, they register before this, and TypeORM would drop them. */
  override async initialize(): Promise<this> {
    Object.values(this.options.entities ?? []).forEach(checkMembers);
    const joined = [...this.subscribers];
    try {
      return await super.initialize();
    } finally {
      this.subscribers.push(...joined.filter((subscriber) => !this.subscribers.includes(subscriber)));
    }
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    this.unreleased.stop();
    this.#scopes.close();
  }

  override createEntityManager(runner?: QueryRunner): EntityManager {
    return new JoiningEntityManager(this, runner);
  }

  /** Without its entities the data source is not usable yet, so the database counts as unavailable. */
  protected override findMetadata(target: Parameters<DataSource['getMetadata']>[0]) {
    if (!this.isInitialized) throw new DatabaseNotOpen();
    return super.findMetadata(target);
  }

  /** The transaction of the running code. @throws Error in failed work that still runs */
  get #scope(): TransactionScope | undefined {
    return this.#scopes.own?.current;
  }

  get #pool(): HostPools | undefined {
    return this.driver instanceof MysqlDriver ? (this.driver.pool as HostPools | undefined) : undefined;
  }

  async #ask<Result>(text: string, values: unknown[] = []): Promise<Result> {
    this.logger.logQuery(text, values);
    const sqlite = this.driver instanceof StrictSqliteDriver ? this.driver : undefined;
    try {
      const outcome = sqlite
        ? runLone(sqlite.databaseConnection as SqliteFile, this.mutex, text, values)
        : this.#pool!.query(text, values);
      return (await outcome) as Result;
    } catch (error) {
      this.logger.logQueryError(error as Error, text, values);
      throw translateError(new QueryFailedError(text, values, error as Error), sqlite);
    }
  }

  #newRunner(mode: ReplicationMode = 'master'): Runner {
    if (this.refusal) throw this.refusal;
    const isAllowed = this.#isOpen || this.#scopes.own !== undefined;
    if (!this.isInitialized || !isAllowed) throw new DatabaseNotOpen();
    const runner =
      this.driver instanceof MysqlDriver
        ? new MySqlQueryRunner(this.driver, mode, this.retries)
        : new SqliteQueryRunner(this.driver as StrictSqliteDriver, this.mutex, this.retries);
    runner.manager = this.createEntityManager(runner);
    return runner;
  }
}
