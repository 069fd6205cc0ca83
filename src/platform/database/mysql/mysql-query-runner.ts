import type { ObjectLiteral, ReplicationMode } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { DatabaseUnavailable, translateError } from '../database-errors.js';
import { repeatableOf, type Retries } from '../transactions/retries.js';
import { TransactionGuard } from '../transactions/transaction-guard.js';
import type { PooledConnection } from './pooled-connection.js';
import { BOUNDED, UNBOUNDED } from './session-settings.js';

type Values = unknown[] | ObjectLiteral;

/** TypeORM's runner with classified errors, which retries single statements where that is safe. */
export class MySqlQueryRunner extends MysqlQueryRunner {
  readonly guard = new TransactionGuard();

  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly retries: Retries,
  ) {
    super(driver, mode);
  }

  override query(given: string, values?: Values, structured = false): ReturnType<MysqlQueryRunner['query']> {
    // TypeORM only writes USE INDEX, with which MariaDB reads every row of an equality; FORCE INDEX uses the longest range.
    const text = given.replace(' USE INDEX (', ' FORCE INDEX (');
    // An error inside a transaction fails the whole transaction.
    if (this.isTransactionActive) return this.#ask(text, values, structured);
    return this.retries.run(repeatableOf(text), () => this.#ask(text, values, structured));
  }

  override startTransaction(isolation?: IsolationLevel): Promise<void> {
    if (this.transactionDepth === 0) this.guard.reset();
    return super.startTransaction(isolation);
  }

  override async commitTransaction(): Promise<void> {
    if (this.transactionDepth <= 1) this.guard.beforeEnd();
    await super.commitTransaction();
  }

  override async rollbackTransaction(): Promise<void> {
    if (this.transactionDepth > 1 && this.guard.isRolledBack) return void (this.transactionDepth -= 1);
    if (this.transactionDepth <= 1) this.guard.beforeEnd();
    await super.rollbackTransaction();
    if (!this.isTransactionActive) this.guard.reset();
  }

  /** Closes a connection whose state is unknown, so that it is not used again. */
  discard(): void {
    this.#connection?.destroy();
  }

  override release(): Promise<void> {
    if (this.guard.isHeld) return Promise.resolve();
    // The next user of the connection must not inherit an open transaction.
    if (this.isTransactionActive) this.discard();
    return super.release();
  }

  /** TypeORM would commit here, even a transaction that somebody else has begun. */
  override async [Symbol.asyncDispose](): Promise<void> {
    if (!this.guard.isHeld) await super[Symbol.asyncDispose]();
  }

  /** Changing a large table takes longer than the time limit of a request. */
  override beforeMigration(): Promise<void> {
    return this.#set(UNBOUNDED);
  }

  override afterMigration(): Promise<void> {
    return this.#set(BOUNDED);
  }

  /** Ignores settings that the server does not know. */
  async #set(settings: readonly string[]): Promise<void> {
    for (const setting of settings) await this.query(setting).catch(() => undefined);
  }

  async #ask(text: string, values: Values | undefined, structured: boolean): Promise<unknown> {
    this.guard.beforeStatement(text);
    try {
      return await super.query(text, values, structured);
    } catch (error) {
      // The next try gets another connection.
      if (!this.isTransactionActive && !this.#connection?.isUsable) this.#forgetConnection();
      const translated = translateError(error);
      const isConflict = translated instanceof DatabaseUnavailable && translated.errorClass === 'conflict';
      if (isConflict && this.transactionDepth > 0) this.guard.rolledBackBy(translated);
      throw translated;
    }
  }

  #forgetConnection(): void {
    this.#connection?.release();
    this.databaseConnection = undefined;
    this.databaseConnectionPromise = undefined as never;
  }

  get #connection(): PooledConnection | undefined {
    return this.databaseConnection as PooledConnection | undefined;
  }
}
