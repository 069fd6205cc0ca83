import type { Database as SqliteFile } from 'better-sqlite3';
import { QueryFailedError, QueryResult } from 'typeorm';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { NamedPlaceholdersNotSupportedError } from 'typeorm/error/NamedPlaceholdersNotSupportedError.js';
import { statementEnded } from '../database-channels.js';
import { DatabaseUnavailable, translateError } from '../errors.js';
import { joinable } from '../units/query-runner.js';
import type { Retries } from '../units/retries.js';
import { inNumbers, rejectForEverybody } from './statements.js';
import type { SqliteMutex } from './sqlite-mutex.js';
import type { StrictSqliteDriver } from './strict-driver.js';

/**
 * TypeORM's runner on SQLite's only connection. Each single statement and each transaction waits for the mutex. Otherwise one request could
 * write into the transaction of another one, and be rolled back with it.
 */
export class SqliteQueryRunner extends joinable(BetterSqlite3QueryRunner) {
  #releaseMutex: (() => void) | undefined;
  #ofTypeOrm = 0;

  declare driver: StrictSqliteDriver;

  constructor(
    driver: StrictSqliteDriver,
    private readonly mutex: SqliteMutex,
    retries?: Retries,
  ) {
    super(driver);
    this.retries = retries;
  }

  /** Begins again while another process has the lock of the file, because nothing was executed yet. */
  override startTransaction(isolation?: IsolationLevel): Promise<void> {
    const begin = async () => {
      this.#releaseMutex ??= await this.mutex.acquire();
      await this.#asTypeOrm(() => super.startTransaction(isolation));
    };
    return this.retries && this.transactionDepth === 0 ? this.retries.run('always', begin) : begin();
  }

  override commitTransaction(): Promise<void> {
    return this.#asTypeOrm(() => super.commitTransaction());
  }

  override rollbackTransaction(): Promise<void> {
    return this.#asTypeOrm(() => super.rollbackTransaction());
  }

  override clearDatabase(): Promise<void> {
    return this.#asTypeOrm(() => super.clearDatabase());
  }

  /** There is no other connection, so the next transaction has to use it, whatever its state. */
  protected override discard(): void {
    const releaseMutex = this.#releaseMutex;
    if (!releaseMutex) return;
    this.#releaseMutex = undefined;
    this.isTransactionActive = false;
    try {
      if (this.#file.inTransaction) this.#file.exec('ROLLBACK');
    } finally {
      releaseMutex();
    }
  }

  protected override expire(): void {
    this.rolledBackBy(new DatabaseUnavailable(new Error('the unit of work took too long'), 'rolled_back'));
    this.discard();
  }

  /** Integers beyond 2^53 are returned as bigint, all others as number. */
  protected override async send(text: string, values: unknown): Promise<QueryResult> {
    if (!Array.isArray(values)) throw new NamedPlaceholdersNotSupportedError();
    if (this.#ofTypeOrm === 0) rejectForEverybody(text);
    // A statement ends before any other code runs, so nobody has to wait for it.
    if (this.#releaseMutex || this.mutex.isFree) return this.#run(text, values);
    const release = await this.mutex.acquire();
    try {
      return this.#run(text, values);
    } finally {
      release();
    }
  }

  #run(text: string, values: readonly unknown[]): QueryResult {
    // Takes the write lock at once. Later SQLite could reject it, because commands write to the same file.
    const statement = text === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE' : text;
    const isCopy = GIVES_A_COPY_ITS_NAME.test(text);
    const begunAt = performance.now();
    try {
      if (isCopy) this.#file.pragma('legacy_alter_table = ON');
      return resultOf(this.#file, ...withBoundOffset(statement, values));
    } catch (error) {
      const translated = translateError(new QueryFailedError(text, [], error as Error), this.driver);
      // Some errors end the transaction. Later statements would then be committed one by one.
      if (!this.#file.inTransaction) this.rolledBackBy(translated);
      throw translated;
    } finally {
      if (isCopy) this.#file.pragma('legacy_alter_table = OFF');
      statementEnded.publish(performance.now() - begunAt);
      // Before TypeORM notifies subscribers, which may need the connection.
      if ((text === 'COMMIT' || text === 'ROLLBACK') && !this.#file.inTransaction) this.discard();
    }
  }

  /** Allows TypeORM's own statements for transactions and pragmas, which modules may not send. */
  async #asTypeOrm(work: () => Promise<void>): Promise<void> {
    this.#ofTypeOrm += 1;
    try {
      await work();
    } finally {
      this.#ofTypeOrm -= 1;
    }
  }

  get #file(): SqliteFile {
    return this.driver.databaseConnection as SqliteFile;
  }
}

function resultOf(file: SqliteFile, text: string, values: readonly unknown[]): QueryResult {
  const statement = file.prepare(text);
  // better-sqlite3 binds no booleans.
  const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  const result = new QueryResult();
  if (statement.reader) {
    result.records = inNumbers(statement.all(...bound)) as unknown[];
    result.raw = result.records;
  } else {
    const { changes, lastInsertRowid } = statement.run(...bound);
    result.affected = changes;
    result.raw = inNumbers(lastInsertRowid);
  }
  return result;
}

/**
 * TypeORM changes a table by creating a copy and renaming it. Foreign keys and views that refer to the table by name must not
 * follow that rename, but they must follow any other rename (https://sqlite.org/lang_altertable.html).
 */
const GIVES_A_COPY_ITS_NAME = /^ALTER TABLE "?(?:temporary_)?(\w+)"? RENAME TO "?(?:temporary_)?\1"?$/i;

const OFFSET = ' OFFSET ';

/** TypeORM writes the offset into the text. With a bound offset all pages of a list have one text, because `keepObjects` keeps each text. */
function withBoundOffset(
  text: string,
  values: readonly unknown[],
): [statement: string, values: readonly unknown[]] {
  const start = text.lastIndexOf(OFFSET) + OFFSET.length;
  const offset = text.slice(start);
  if (start < OFFSET.length || !/^\d+$/.test(offset)) return [text, values];
  return [`${text.slice(0, start)}?`, [...values, Number(offset)]];
}
