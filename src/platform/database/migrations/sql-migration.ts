import type { MigrationInterface, QueryRunner } from 'typeorm';
import { StatementFailed } from '../errors.js';

/** For each engine, or the same for both. */
type Statements = Record<'sqlite' | 'mysql', readonly string[]> | readonly string[];

/**
 * A migration in plain SQL. MySQL commits after each statement that changes a table, so statements must be idempotent: an
 * interrupted migration starts again, and statements that are already in effect are skipped.
 */
export abstract class SqlMigration implements MigrationInterface {
  /** What it does, followed by 13 digits, the milliseconds since 1970 at which it was written: TypeORM's order. */
  abstract readonly name: string;
  protected abstract readonly forwards: Statements;
  protected abstract readonly backwards: Statements;

  up(runner: QueryRunner): Promise<void> {
    return this.#run(runner, this.forwards);
  }

  down(runner: QueryRunner): Promise<void> {
    return this.#run(runner, this.backwards);
  }

  async #run(runner: QueryRunner, statements: Statements): Promise<void> {
    const engine = runner.dataSource.options.type === 'mysql' ? 'mysql' : 'sqlite';
    for (const statement of 'sqlite' in statements ? statements[engine] : statements)
      await runner.query(statement).catch((error: unknown) => unlessDone(runner, error));
  }
}

/** The column, index, foreign key or table already exists, or is already gone. */
const DONE = new Set([
  'ER_TABLE_EXISTS_ERROR',
  'ER_BAD_TABLE_ERROR',
  'ER_DUP_FIELDNAME',
  'ER_DUP_KEYNAME',
  'ER_CANT_DROP_FIELD_OR_KEY',
  'ER_FK_DUP_NAME',
]);

/** How MariaDB reports an existing foreign key; a table that would be created with one does not exist. */
const FOREIGN_KEY_EXISTS = /^ER_CANT_CREATE_TABLE \(.*\(errno: 121 "[^]* from ALTER TABLE /;

const RENAMED = /^ALTER TABLE `([^`]+)` CHANGE (?:COLUMN )?`([^`]+)` `([^`]+)` /;

async function unlessDone(runner: QueryRunner, error: unknown): Promise<void> {
  if (!(error instanceof StatementFailed)) throw error;
  if (DONE.has(error.code) || FOREIGN_KEY_EXISTS.test(error.message)) return;
  const [, table, before, after] = RENAMED.exec(error.query) ?? [];
  if (error.code !== 'ER_BAD_FIELD_ERROR' || !table) throw error;
  const isRenamed = (await runner.hasColumn(table, after!)) && !(await runner.hasColumn(table, before!));
  if (!isRenamed) throw error;
}
