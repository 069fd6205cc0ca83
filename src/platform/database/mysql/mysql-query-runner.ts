import type { PoolConnection, QueryError, QueryValues, ResultSetHeader } from 'mysql2';
import { type ObjectLiteral, QueryFailedError, QueryResult, type ReplicationMode } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { statementEnded } from '../database-channels.js';
import { NO_ANSWER } from '../error-table.js';
import { DatabaseUnavailable, translateError } from '../errors.js';
import { joinable } from '../units/query-runner.js';
import type { Retries } from '../units/retries.js';
import type { HostPools } from './host-pools.js';
import { BOUNDED, leavesTraces, UNBOUNDED } from './session.js';

type Values = unknown[] | ObjectLiteral;

/** How long a caller waits for the answer to a statement. */
const STATEMENT_TIMEOUT_MS = 3_500;

/** TypeORM's runner on a connection of mysql2. Each statement has a deadline, after which the connection is closed. */
export class MySqlQueryRunner extends joinable(MysqlQueryRunner) {
  #isBounded = true;
  #leavesTraces = false;
  /** Ends the statements that wait for their answers. */
  readonly #giveUp = new Set<() => void>();

  constructor(driver: MysqlDriver, mode: ReplicationMode, retries?: Retries) {
    super(driver, mode);
    this.retries = retries;
  }

  /** TypeORM only writes USE INDEX, with which MariaDB reads every row of an equality; FORCE INDEX uses the longest range. */
  override query(text: string, values?: Values, structured = false): ReturnType<MysqlQueryRunner['query']> {
    return super.query(text.replace(' USE INDEX (', ' FORCE INDEX ('), values, structured);
  }

  /** Changing a large table takes longer than the time limit of a request. */
  override async beforeMigration(): Promise<void> {
    this.#isBounded = false;
    await this.query(UNBOUNDED);
  }

  override async afterMigration(): Promise<void> {
    await this.query(BOUNDED);
    this.#isBounded = true;
  }

  protected override leave(): void {
    // The next user needs a session without what this one has left behind.
    if (this.#leavesTraces) this.discard();
  }

  protected override discard(): void {
    if (this.#connection) this.#pools.close(this.#connection);
    for (const giveUp of this.#giveUp) giveUp();
    // A statement of the transaction must not be executed outside of it, on another connection.
    if (this.isTransactionActive) return;
    this.databaseConnection = undefined;
    this.databaseConnectionPromise = undefined as never;
  }

  protected override async send(text: string, values: unknown): Promise<QueryResult> {
    // TypeORM begins a transaction with such statements, too, but also ends it.
    const isBeginning = this.isTransactionActive && this.transactionDepth === 0;
    if (!isBeginning && leavesTraces(text)) this.#leavesTraces = true;
    try {
      const raw = await this.#answerOf(await this.connect(), text, values);
      this.#pools.worked(this.#connection!);
      return resultOf(raw);
    } catch (error) {
      if (!this.#connection || this.#pools.failed(this.#connection, error)) this.discard();
      const translated = translateError(new QueryFailedError(text, [], error as Error));
      if (translated instanceof DatabaseUnavailable && translated.errorClass === 'conflict')
        this.rolledBackBy(translated);
      throw translated;
    }
  }

  #answerOf(connection: PoolConnection, text: string, values: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const begunAt = performance.now();
      const giveUp = () => end(Object.assign(new Error(NO_ANSWER), { code: NO_ANSWER }));
      const timer = this.#isBounded ? setTimeout(giveUp, STATEMENT_TIMEOUT_MS) : undefined;
      const end = (error: QueryError | Error | null, raw?: unknown) => {
        if (!this.#giveUp.delete(giveUp)) return;
        clearTimeout(timer);
        statementEnded.publish(performance.now() - begunAt);
        if (error) reject(error);
        else resolve(raw);
      };
      this.#giveUp.add(giveUp);
      connection.query(text, values as QueryValues, end);
    });
  }

  get #connection(): PoolConnection | undefined {
    return this.databaseConnection as PoolConnection | undefined;
  }

  get #pools(): HostPools {
    return this.driver.pool as HostPools;
  }
}

function resultOf(raw: unknown): QueryResult {
  const result = new QueryResult();
  result.raw = raw;
  if (Array.isArray(raw)) result.records = raw as unknown[];
  else result.affected = (raw as ResultSetHeader).affectedRows;
  return result;
}
