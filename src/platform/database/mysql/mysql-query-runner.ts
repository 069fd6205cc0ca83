import type { ObjectLiteral, ReplicationMode } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { DatabaseUnavailable, translateError } from '../errors.js';
import { joinable } from '../transactions/query-runner.js';
import { repeatableOf, type Retries } from '../retries.js';
import type { PooledConnection } from './pooled-connection.js';
import { BOUNDED, UNBOUNDED } from './session.js';

type Values = unknown[] | ObjectLiteral;

/** TypeORM's runner with classified errors, which retries single statements where that is safe. */
export class MySqlQueryRunner extends joinable(MysqlQueryRunner) {
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
    if (this.isTransactionActive || this.isRepeated) return this.#ask(text, values, structured);
    return this.retries.run(repeatableOf(text), () => this.#ask(text, values, structured));
  }

  override discard(): void {
    this.#connection?.destroy();
  }

  override get holdsConnection(): boolean {
    return this.#connection !== undefined;
  }

  /** Changing a large table takes longer than the time limit of a request. */
  override async beforeMigration(): Promise<void> {
    await this.query(UNBOUNDED);
  }

  override async afterMigration(): Promise<void> {
    await this.query(BOUNDED);
  }

  async #ask(text: string, values: Values | undefined, structured: boolean): Promise<unknown> {
    this.beforeStatement(text);
    try {
      return await super.query(text, values, structured);
    } catch (error) {
      // The next try gets another connection.
      if (!this.isTransactionActive && !this.#connection?.isUsable) this.#forgetConnection();
      const translated = translateError(error);
      if (translated instanceof DatabaseUnavailable && translated.errorClass === 'conflict')
        this.rolledBackBy(translated);
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
