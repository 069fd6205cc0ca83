import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, QueryRunner } from 'typeorm';
import { DatabaseUnavailable, translated } from './database-errors.js';
import { Turns } from './turns.js';

/** What may be bound to a `?` of a statement. */
export type SqlValue = string | number | bigint | Buffer | null;

/**
 * The one way of every repository to its tables. Inside a unit of work a statement runs on the unit's connection, else on
 * any. TypeORM gives SQLite a single connection: there each unit and each lone statement takes a turn, or one request
 * could write into, and lose with, the transaction of another.
 */
export class Sql {
  readonly #unit = new AsyncLocalStorage<QueryRunner>();
  readonly #turns: Turns | undefined;
  readonly #begin: string;
  #open = false;

  constructor(private readonly source: DataSource) {
    const sqlite = source.options.type === 'better-sqlite3';
    this.#turns = sqlite ? new Turns() : undefined;
    // Takes SQLite's write lock at once: asked for in mid-transaction, it could be refused to the command line's rival.
    this.#begin = sqlite ? 'BEGIN IMMEDIATE' : 'START TRANSACTION';
  }

  /** From now on statements may run: the schema is there. */
  open(): void {
    this.#open = true;
  }

  /** Integers come as bigint, string or number, whichever is exact: read them with `BigInt`. */
  async rows<Row>(statement: string, values: SqlValue[] = []): Promise<Row[]> {
    return (await this.#execute(statement, values)).records as Row[];
  }

  /** @returns how many rows the statement found and changed. @throws DuplicateKey */
  async change(statement: string, values: SqlValue[] = []): Promise<number> {
    return (await this.#execute(statement, values)).affected ?? 0;
  }

  get insideUnit(): boolean {
    return this.#unit.getStore() !== undefined;
  }

  /** Runs `work` as if it had been called from outside the current unit. The unit must not wait for it. */
  outsideUnit<Result>(work: () => Result): Result {
    return this.#unit.exit(work);
  }

  /** One transaction around `work`; inside another it is part of that one. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.insideUnit) return work();
    return this.#turns ? this.#turns.take(() => this.#transact(work)) : this.#transact(work);
  }

  async #transact<Result>(work: () => Promise<Result>): Promise<Result> {
    const runner = this.#runner();
    try {
      await run(runner, this.#begin);
      try {
        const result = await this.#unit.run(runner, work);
        await run(runner, 'COMMIT');
        return result;
      } catch (error) {
        await rollBack(runner);
        throw error;
      }
    } finally {
      await runner.release();
    }
  }

  #execute(statement: string, values: SqlValue[]) {
    const unit = this.#unit.getStore();
    if (unit) return run(unit, statement, values);
    return this.#turns
      ? this.#turns.take(() => this.#once(statement, values))
      : this.#once(statement, values);
  }

  async #once(statement: string, values: SqlValue[]) {
    const runner = this.#runner();
    try {
      return await run(runner, statement, values);
    } finally {
      await runner.release();
    }
  }

  #runner(): QueryRunner {
    if (!this.#open || !this.source.isInitialized) throw new DatabaseUnavailable();
    return this.source.createQueryRunner();
  }
}

async function run(runner: QueryRunner, statement: string, values: SqlValue[] = []) {
  try {
    return await runner.query(statement, values, true);
  } catch (error) {
    throw translated(error);
  }
}

/** A connection that cannot roll back has an unknown state: it is closed, so that the next user cannot inherit that. */
async function rollBack(runner: QueryRunner): Promise<void> {
  try {
    await run(runner, 'ROLLBACK');
  } catch {
    const connection = (await runner.connect()) as { destroy?: () => void };
    connection.destroy?.();
  }
}
