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
  /** The sequences of the tables that the migration creates, by name. Their first id is 1. */
  protected readonly sequences: readonly string[] = [];

  async up(runner: QueryRunner): Promise<void> {
    await this.#run(runner, this.forwards);
    const insert = engineOf(runner) === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
    for (const name of this.sequences)
      await runner.query(`${insert} INTO sequences (name, next_id) VALUES (?, 1)`, [name]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.#run(runner, this.backwards);
    for (const name of this.sequences) await runner.query('DELETE FROM sequences WHERE name = ?', [name]);
  }

  async #run(runner: QueryRunner, statements: Statements): Promise<void> {
    for (const statement of 'sqlite' in statements ? statements[engineOf(runner)] : statements)
      await runner.query(statement).catch((error: unknown) => unlessDone(runner, error));
  }
}

const engineOf = ({ dataSource }: QueryRunner) => (dataSource.options.type === 'mysql' ? 'mysql' : 'sqlite');

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
