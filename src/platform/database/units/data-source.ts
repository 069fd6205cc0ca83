import type { Database as SqliteFile } from 'better-sqlite3';
import {
  DataSource,
  type DataSourceOptions,
  type EntityManager,
  EntitySchema,
  type QueryRunner,
  type ReplicationMode,
} from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { UnitOfWork } from '../../../kernel/unit-of-work.js';
import type { PoolUsage } from '../database-channels.js';
import { DatabaseNotOpen, type DatabaseUnavailable } from '../errors.js';
import type { HostPools } from '../mysql/host-pools.js';
import { MySqlDriver } from '../mysql/mysql-driver.js';
import { MySqlQueryRunner } from '../mysql/mysql-query-runner.js';
import { SqliteMutex } from '../sqlite/sqlite-mutex.js';
import { SqliteQueryRunner } from '../sqlite/sqlite-query-runner.js';
import { StrictSqliteDriver } from '../sqlite/strict-driver.js';
import { JoiningEntityManager, type Work } from './entity-manager.js';
import { type Repeatable, Retries } from './retries.js';
import { Unit, Units } from './unit.js';

/** In ms: how long a statement may block the service while another process has the lock of the SQLite file. Then it is retried. */
const MAX_BLOCKING = 50;

/** A row becomes an object without its constructor, and only the constructor makes `#private` members. The text of the class shows them. */
function checkMembers(entity: unknown): void {
  const type = entity instanceof EntitySchema ? entity.options.target : entity;
  if (typeof type !== 'function' || !/^\s*(?:async |get |set |\*)*#\w+\s*[(;=]/m.test(String(type))) return;
  const what = `${type.name} has #private members, which a row that is read from the database lacks`;
  throw new Error(`${what}: write "private" instead.`);
}

/**
 * TypeORM's data source. Everything that is called inside a transaction joins it: repositories, query builders, `manager.query` and nested
 * transactions. Code without a query runner gets one from `createQueryRunner`, which returns the transaction's own runner inside a
 * transaction.
 */
export class JoiningDataSource extends DataSource implements UnitOfWork {
  /** Rejects every statement while it is set. */
  refusal: DatabaseUnavailable | undefined;
  /** Why the database rejected the last change. Undefined if it accepted the change. */
  refusedChange: string | undefined;
  readonly retries = new Retries();
  protected readonly mutex = new SqliteMutex();
  readonly #units = new Units();
  #isOpen = false;

  constructor(options: DataSourceOptions) {
    super(options);
    this.driver = options.type === 'mysql' ? new MySqlDriver(this) : new StrictSqliteDriver(this);
  }

  /** Allows statements from now on, because the tables exist. */
  open(): void {
    this.#isOpen = true;
  }

  /** Makes statements wait for other processes without blocking this one. For the service, in which requests wait meanwhile. */
  waitWithoutBlocking(): void {
    if (this.driver instanceof StrictSqliteDriver)
      (this.driver.databaseConnection as SqliteFile).pragma(`busy_timeout = ${MAX_BLOCKING}`);
  }

  /** Runs `work` with statements allowed before `open`. */
  beforeOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#units.run(new Unit(), work);
  }

  /** @throws Error in failed work that still runs, because its changes would be stored */
  get insideTransaction(): boolean {
    return this.#unit?.runner !== undefined;
  }

  /** Runs `work` as if it were called outside the transaction. The transaction must not wait for it. */
  outsideTransaction<Result>(work: () => Result): Result {
    return this.#units.exit(work);
  }

  /** Runs `work` in a transaction, and retries it if that is allowed. Inside another transaction `work` becomes part of that one. */
  async run<Result>(
    work: () => Promise<Result>,
    repeatable: Repeatable = 'if not executed',
  ): Promise<Result> {
    return this.insideTransaction ? work() : this.retries.run(repeatable, () => this.runOnce(work));
  }

  /**
   * Repeats statements outside of transactions, also if their outcome is unknown, because they may be executed twice. They go through
   * `manager`, and are repeated together.
   */
  repeat<Result>(work: Work<Result>): Promise<Result> {
    return this.retries.run('always', async () => {
      const runner = this.#newRunner('master');
      return work(runner.manager).finally(() => runner.release());
    });
  }

  /** Runs `work` in a new transaction, without a retry. */
  async runOnce<Result>(work: Work<Result>, isolation?: IsolationLevel): Promise<Result> {
    const runner = this.#newRunner('master', this.retries);
    return runner.runUnit(() => this.#units.run(new Unit(runner), () => work(runner.manager)), isolation);
  }

  /** Calls `begin` to create a savepoint. Each transaction has one at a time. A runner of other code gets no unit of this transaction. */
  async runNested<Result>(
    runner: QueryRunner | undefined,
    begin: (joined: (work: () => Promise<Result>) => Promise<Result>) => Promise<Result>,
  ): Promise<Result> {
    const outer = this.#unit;
    if (!outer?.runner || (runner && runner !== outer.runner)) return begin((work) => work());
    return outer.turns.runExclusive(() =>
      begin((work) => this.#units.run(new Unit(outer.runner, outer), work)),
    );
  }

  /** The state of the connection pool. */
  usage(): PoolUsage {
    if (!this.isInitialized) return { used: 0, free: 0, waiting: 0 };
    return this.driver instanceof MySqlDriver ? (this.driver.pool as HostPools).usage() : this.mutex.usage();
  }

  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    return this.#unit?.runner ?? this.#newRunner(mode, this.retries);
  }

  /** Keeps subscribers that are providers. As Nest documents, they register before this call, and TypeORM would drop them. */
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
    this.#units.close();
  }

  override createEntityManager(runner?: QueryRunner): EntityManager {
    return new JoiningEntityManager(this, runner);
  }

  /** Without its entities the data source is not usable yet, so the database counts as unavailable. */
  protected override findMetadata(target: Parameters<DataSource['getMetadata']>[0]) {
    if (!this.isInitialized) throw new DatabaseNotOpen();
    return super.findMetadata(target);
  }

  /** The unit of work of the running code. @throws Error in failed work that still runs */
  get #unit(): Unit | undefined {
    return this.#units.own?.current;
  }

  #newRunner(mode: ReplicationMode, retries?: Retries): MySqlQueryRunner | SqliteQueryRunner {
    if (this.refusal) throw this.refusal;
    const isAllowed = this.#isOpen || this.#units.own !== undefined;
    if (!this.isInitialized || !isAllowed) throw new DatabaseNotOpen();
    return this.driver instanceof MySqlDriver
      ? new MySqlQueryRunner(this.driver, mode, retries)
      : new SqliteQueryRunner(this.driver as StrictSqliteDriver, this.mutex, retries);
  }
}
