import type { ObjectLiteral, ReplicationMode, Table } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { translateError } from '../database-errors.js';
import { repeatableOf, type Retries } from '../retries.js';
import { addCollations } from './collations.js';
import type { PooledConnection } from './pooled-connection.js';

type Values = unknown[] | ObjectLiteral;

/** TypeORM's runner: what fails means something, and a lone statement is tried again where it may be. */
export class MySqlQueryRunner extends MysqlQueryRunner {
  /** True while `inNewTransaction` owns the runner: callers that have joined it cannot release it. */
  held = false;

  constructor(
    driver: MysqlDriver,
    mode: ReplicationMode,
    private readonly retries: Retries,
  ) {
    super(driver, mode);
  }

  override query(given: string, values?: Values, structured = false): ReturnType<MysqlQueryRunner['query']> {
    // All that TypeORM can say. Advised of an index, MariaDB reads every row of an equality; forced, it takes the longest range.
    const text = given.replace(' USE INDEX (', ' FORCE INDEX (');
    // What fails inside a transaction fails the transaction.
    if (this.isTransactionActive) return this.#ask(text, values, structured);
    return this.retries.run(repeatableOf(text), () => this.#ask(text, values, structured));
  }

  /** A connection whose state is unknown is not used again. */
  discard(): void {
    this.#connection?.destroy();
  }

  override release(): Promise<void> {
    if (this.held) return Promise.resolve();
    // An open transaction must not reach the next user of the connection.
    if (this.isTransactionActive) this.discard();
    return super.release();
  }

  /** With collations; and MariaDB spells the default of a column that has none, which TypeORM takes for a text. */
  protected override async loadTables(names?: string[]): Promise<Table[]> {
    const tables = await super.loadTables(names);
    await addCollations(this, tables);
    for (const column of tables.flatMap((table) => table.columns)) {
      if (column.default === "'NULL'") column.default = undefined;
    }
    return tables;
  }

  async #ask(text: string, values: Values | undefined, structured: boolean): Promise<unknown> {
    try {
      return await super.query(text, values, structured);
    } catch (error) {
      // The next try gets another one.
      if (!this.isTransactionActive && !this.#connection?.isUsable) this.#forgetConnection();
      throw translateError(error);
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
