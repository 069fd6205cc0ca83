import type { Database as SqliteFile } from 'better-sqlite3';
import { type ObjectLiteral, QueryResult } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { observed } from '../database-channels.js';
import { translateError } from '../database-errors.js';
import { narrowed } from './lone-statement.js';
import type { SqliteMutex } from './sqlite-mutex.js';
import { TransactionGuard } from '../transactions/transaction-guard.js';
import { repeatableOf, type Retries } from '../transactions/retries.js';
import { danglingRows, GIVES_A_COPY_ITS_NAME, refuseDanglingRows } from './foreign-keys.js';

type Values = unknown[] | ObjectLiteral;

/**
 * TypeORM's runner on SQLite's only connection. Each single statement and each transaction waits for the mutex; otherwise one
 * request could write into the transaction of another one, and be rolled back with it.
 */
export class SqliteQueryRunner extends BetterSqlite3QueryRunner {
  readonly guard = new TransactionGuard();
  #releaseMutex: (() => void) | undefined;
  /** The number of dangling rows before the current migration. */
  #dangling: number | undefined;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly mutex: SqliteMutex,
    private readonly retries: Retries,
  ) {
    super(driver);
  }

  /** Integers beyond 2^53 are returned as bigint, all others as number. */
  override query(
    text: string,
    values?: Values,
    structured = false,
  ): ReturnType<BetterSqlite3QueryRunner['query']> {
    if (this.#releaseMutex) return this.#run(text, values, structured);
    return this.retries.run(repeatableOf(text), async () => {
      const release = await this.mutex.acquire();
      return this.#run(text, values, structured).finally(release);
    });
  }

  override async startTransaction(isolation?: IsolationLevel): Promise<void> {
    this.#releaseMutex ??= await this.mutex.acquireForTransaction();
    try {
      await super.startTransaction(isolation);
    } catch (error) {
      if (this.transactionDepth === 0) this.#end();
      throw error;
    }
  }

  /** Foreign keys are off during a migration, so that a table can be created anew while rows refer to it. */
  override async beforeMigration(): Promise<void> {
    this.#dangling = (await danglingRows(this)).length;
    await super.beforeMigration();
  }

  override async commitTransaction(): Promise<void> {
    if (this.transactionDepth <= 1) this.guard.beforeEnd();
    if (this.#dangling !== undefined && this.transactionDepth === 1)
      await refuseDanglingRows(this, this.#dangling);
    await super.commitTransaction();
  }

  override async rollbackTransaction(): Promise<void> {
    const isOutermost = this.transactionDepth <= 1;
    if (!isOutermost && this.guard.isRolledBack) return void (this.transactionDepth -= 1);
    if (isOutermost) this.guard.beforeEnd();
    try {
      await super.rollbackTransaction();
    } finally {
      if (isOutermost) this.#end();
    }
  }

  /** There is no other connection, so the next transaction has to use it, whatever its state. */
  discard(): void {
    this.#end();
  }

  override async release(): Promise<void> {
    if (this.guard.isHeld) return;
    if (this.#releaseMutex) await this.rollbackTransaction().catch(() => undefined);
    this.isReleased = true;
    await super.release();
  }

  /** TypeORM would commit here, even a transaction that somebody else has begun. */
  override async [Symbol.asyncDispose](): Promise<void> {
    if (!this.guard.isHeld) await super[Symbol.asyncDispose]();
  }

  #end(): void {
    this.guard.reset();
    this.isTransactionActive = false;
    this.#dangling = undefined;
    this.#releaseMutex?.();
    this.#releaseMutex = undefined;
  }

  #run(text: string, values: Values | undefined, structured: boolean): Promise<unknown> {
    return observed('sqlite', text, () => this.#ask(text, values, structured));
  }

  async #ask(text: string, values: Values | undefined, structured: boolean): Promise<unknown> {
    this.guard.beforeStatement(text);
    // Takes the write lock at once: later it could be denied, because commands write to the same file.
    const statement = text === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE' : text;
    const isCopy = GIVES_A_COPY_ITS_NAME.test(statement);
    if (isCopy) this.driver.databaseConnection.pragma('legacy_alter_table = ON');
    try {
      const outcome: unknown = await super.query(...withBoundOffset(statement, values), structured);
      // Before TypeORM notifies subscribers, which may need the connection.
      if (text === 'COMMIT' || text === 'ROLLBACK') this.#end();
      if (!(outcome instanceof QueryResult)) return narrowed(outcome);
      outcome.raw = narrowed(outcome.raw);
      return outcome;
    } catch (error) {
      const translated = translateError(error);
      // Some errors end the transaction: later statements would then be committed one by one.
      if (this.transactionDepth > 0 && !(this.driver.databaseConnection as SqliteFile).inTransaction)
        this.guard.rolledBackBy(translated);
      throw translated;
    } finally {
      if (isCopy) this.driver.databaseConnection.pragma('legacy_alter_table = OFF');
    }
  }
}

const OFFSET = ' OFFSET ';

/** TypeORM writes the offset into the text. Bound, all pages of a list are one prepared statement, and `keepObjects` keeps each. */
function withBoundOffset(text: string, values: Values = []): [statement: string, values: Values] {
  const start = text.lastIndexOf(OFFSET) + OFFSET.length;
  const offset = text.slice(start);
  if (start < OFFSET.length || !/^\d+$/.test(offset) || !Array.isArray(values)) return [text, values];
  return [`${text.slice(0, start)}?`, [...(values as unknown[]), Number(offset)]];
}
