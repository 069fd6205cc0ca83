import type { ObjectLiteral, ReplicationMode, Table, TableColumn } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { Query } from 'typeorm/driver/Query.js';
import { DatabaseUnavailable, translateError } from '../database-errors.js';
import { repeatableOf, type Retries } from '../transactions/retries.js';
import { addCollations } from './collations.js';
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

  /**
   * Changes the type or length of a column in place; TypeORM would drop and recreate it, and lose its data. For a column that
   * becomes unique TypeORM would create two indexes; this leaves only the entity's.
   */
  override async changeColumn(
    tableOrName: Table | string,
    oldOrName: TableColumn | string,
    given: TableColumn,
  ): Promise<void> {
    const table = typeof tableOrName === 'string' ? await this.getCachedTable(tableOrName) : tableOrName;
    const old = typeof oldOrName === 'string' ? table.findColumnByName(oldOrName) : oldOrName;
    const column = given.clone();
    column.isUnique &&= old?.isUnique ?? true;
    if (!old || !canBeChangedInPlace(old, column)) return super.changeColumn(table, oldOrName, column);
    // TypeORM itself changes the keys.
    const between = column.clone();
    Object.assign(between, { isPrimary: old.isPrimary, isUnique: old.isUnique });
    const change = `ALTER TABLE ${this.escapePath(table)} CHANGE \`${column.name}\``;
    await this.executeQueries(
      new Query(`${change} ${this.buildCreateColumnSql(between, true)}`),
      new Query(`${change} ${this.buildCreateColumnSql(old, true)}`),
    );
    const changed = table.clone();
    changed.columns = changed.columns.map((one) => (one.name === column.name ? between : one));
    this.replaceCachedTable(table, changed);
    return super.changeColumn(table, between, column);
  }

  /** MariaDB allows no NULL clause on a computed column; and the collation follows the values of an enum. */
  protected override buildCreateColumnSql(column: TableColumn, ...how: [boolean, boolean?]): string {
    const text = super.buildCreateColumnSql(column, ...how);
    if (column.enum) return text.replace(COLLATION_AND_VALUES, '$2$1');
    return column.asExpression ? text.replace(/(VIRTUAL|STORED) (?:NOT )?NULL/, '$1') : text;
  }

  /**
   * Adds collations, writes defaults as in a statement, where TypeORM adds quotes to MariaDB's, and makes computed columns
   * nullable if their entity says so.
   */
  protected override async loadTables(names?: string[]): Promise<Table[]> {
    const tables = await super.loadTables(names);
    await addCollations(this, tables);
    for (const table of tables) {
      const entity = this.dataSource.entityMetadatas.find(({ tableName }) => tableName === table.name);
      for (const column of table.columns) {
        column.default = defaultOf(column);
        column.onUpdate = withoutBrackets(column.onUpdate);
        if (column.asExpression)
          column.isNullable = entity?.findColumnWithDatabaseName(column.name)?.isNullable ?? true;
      }
    }
    return tables;
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

/** Quotes inside a value are doubled. */
const COLLATION_AND_VALUES =
  /((?: CHARACTER SET "\w+")?(?: COLLATE "\w+")?)( \((?:(?:, )?'(?:[^']|'')*')+\))/;

/** Computed columns hold no data that could be lost; only a key can become AUTO_INCREMENT. */
function canBeChangedInPlace(old: TableColumn, column: TableColumn): boolean {
  const counts = old.isGenerated !== column.isGenerated;
  const isOther = old.type !== column.type || old.length !== column.length || counts;
  const isKey = old.isPrimary && column.isPrimary;
  return (
    isOther && (isKey || !counts) && old.name === column.name && !old.generatedType && !column.generatedType
  );
}

function defaultOf({ default: given }: TableColumn): string | undefined {
  if (typeof given !== 'string' || given === "'NULL'") return undefined;
  return withoutBrackets(given.replace(/^''(.*)''$/s, "'$1'"));
}

/** MariaDB writes `CURRENT_TIMESTAMP()`. */
const withoutBrackets = (text: string | undefined) =>
  text?.replace(/^CURRENT_TIMESTAMP\(\)$/, 'CURRENT_TIMESTAMP');
