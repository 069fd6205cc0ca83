import type { MigrationInterface, QueryRunner } from 'typeorm';
import { StatementFailed } from '../errors.js';

/** The statements of each engine, or the same statements for both. */
type Statements = Record<'sqlite' | 'mysql', readonly string[]> | readonly string[];

/**
 * A migration in plain SQL. MySQL commits after each statement that changes a table. So an interrupted migration starts again, and
 * skips the statements that are already in effect. Each statement must be idempotent.
 */
export abstract class SqlMigration implements MigrationInterface {
  /** What the migration does, followed by 13 digits: when it was written, in ms since 1970. TypeORM runs migrations in this order. */
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

/** How MariaDB reports an existing foreign key. The same error of CREATE TABLE means that the table does not exist. */
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
