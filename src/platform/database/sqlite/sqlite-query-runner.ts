import type { Database as SqliteFile } from 'better-sqlite3';
import { type ObjectLiteral, QueryResult } from 'typeorm';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { observed } from '../database-channels.js';
import { DatabaseUnavailable, translateError } from '../errors.js';
import { joinable } from '../transactions/query-runner.js';
import { repeatableOf, type Retries } from '../retries.js';
import { inNumbers, refuseForEverybody } from './statements.js';
import type { SqliteMutex } from './sqlite-mutex.js';
import type { StrictSqliteDriver } from './strict-driver.js';

type Values = unknown[] | ObjectLiteral;

/**
 * TypeORM's runner on SQLite's only connection. Each single statement and each transaction waits for the mutex; otherwise one
 * request could write into the transaction of another one, and be rolled back with it.
 */
export class SqliteQueryRunner extends joinable(BetterSqlite3QueryRunner) {
  #releaseMutex: (() => void) | undefined;
  #ofTypeOrm = 0;

  declare driver: StrictSqliteDriver;

  constructor(
    driver: StrictSqliteDriver,
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
    if (this.#releaseMutex) return this.#ask(text, values, structured);
    const alone = async () => {
      const release = await this.mutex.acquire();
      return this.#ask(text, values, structured).finally(release);
    };
    return this.isRepeated ? alone() : this.retries.run(repeatableOf(text), alone);
  }

  override async startTransaction(isolation?: IsolationLevel): Promise<void> {
    this.#releaseMutex ??= await this.mutex.acquire();
    try {
      await this.#asTypeOrm(() => super.startTransaction(isolation));
    } catch (error) {
      if (this.transactionDepth === 0) this.discard();
      throw error;
    }
  }

  override commitTransaction(): Promise<void> {
    return this.#asTypeOrm(() => super.commitTransaction());
  }

  override async rollbackTransaction(): Promise<void> {
    const isOutermost = this.transactionDepth <= 1;
    try {
      await this.#asTypeOrm(() => super.rollbackTransaction());
    } finally {
      if (isOutermost) this.discard();
    }
  }

  override clearDatabase(): Promise<void> {
    return this.#asTypeOrm(() => super.clearDatabase());
  }

  /** There is no other connection, so the next transaction has to use it, whatever its state. */
  override discard(): void {
    this.isTransactionActive = false;
    this.#releaseMutex?.();
    this.#releaseMutex = undefined;
  }

  override expire(): void {
    const file = this.driver.databaseConnection as SqliteFile;
    if (file.inTransaction) file.exec('ROLLBACK');
    this.rolledBackBy(new DatabaseUnavailable(new Error('the unit of work took too long'), 'rolled_back'));
    this.discard();
  }

  override get holdsConnection(): boolean {
    return this.#releaseMutex !== undefined;
  }

  override async release(): Promise<void> {
    if (this.isUnit) return;
    if (this.#releaseMutex) await this.rollbackTransaction().catch(() => this.discard());
    this.isReleased = true;
    await super.release();
  }

  /** TypeORM's own statements for transactions and pragmas are those that others may not send. */
  async #asTypeOrm(work: () => Promise<void>): Promise<void> {
    this.#ofTypeOrm += 1;
    try {
      await work();
    } finally {
      this.#ofTypeOrm -= 1;
    }
  }

  #ask(text: string, values: Values | undefined, structured: boolean): Promise<unknown> {
    return observed(async () => {
      this.beforeStatement(text);
      if (this.#ofTypeOrm === 0) refuseForEverybody(text);
      // Takes the write lock at once: later it could be denied, because commands write to the same file.
      const statement = text === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE' : text;
      const isCopy = GIVES_A_COPY_ITS_NAME.test(text);
      if (isCopy) this.driver.databaseConnection.pragma('legacy_alter_table = ON');
      try {
        const outcome: unknown = await super.query(...withBoundOffset(statement, values), structured);
        // Before TypeORM notifies subscribers, which may need the connection.
        if (text === 'COMMIT' || text === 'ROLLBACK') this.discard();
        if (!(outcome instanceof QueryResult)) return inNumbers(outcome);
        outcome.raw = inNumbers(outcome.raw);
        return outcome;
      } catch (error) {
        const translated = translateError(error, this.driver);
        // Some errors end the transaction: later statements would then be committed one by one.
        if (!(this.driver.databaseConnection as SqliteFile).inTransaction) this.rolledBackBy(translated);
        throw translated;
      } finally {
        if (isCopy) this.driver.databaseConnection.pragma('legacy_alter_table = OFF');
      }
    });
  }
}

/**
 * TypeORM changes a table by creating a copy and renaming it. Foreign keys and views that refer to the table by name must not
 * follow that rename, but they must follow any other one (https://sqlite.org/lang_altertable.html).
 */
const GIVES_A_COPY_ITS_NAME = /^ALTER TABLE "?(?:temporary_)?(\w+)"? RENAME TO "?(?:temporary_)?\1"?$/i;

const OFFSET = ' OFFSET ';

/** TypeORM writes the offset into the text. Bound, all pages of a list are one prepared statement, and `keepObjects` keeps each. */
function withBoundOffset(text: string, values: Values = []): [statement: string, values: Values] {
  const start = text.lastIndexOf(OFFSET) + OFFSET.length;
  const offset = text.slice(start);
  if (start < OFFSET.length || !/^\d+$/.test(offset) || !Array.isArray(values)) return [text, values];
  return [`${text.slice(0, start)}?`, [...(values as unknown[]), Number(offset)]];
}
