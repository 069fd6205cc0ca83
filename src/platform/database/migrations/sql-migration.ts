import type { MigrationInterface, QueryRunner } from 'typeorm';
import { StatementFailed } from '../database-errors.js';
import { BOUNDED, UNBOUNDED } from '../mysql/session-settings.js';

type Statements = Record<'sqlite' | 'mysql', readonly string[]>;

/**
 * A change of the schema in plain SQL, without a time limit. MySQL commits after each statement that changes a table, so
 * statements must be idempotent: a migration that was interrupted starts anew. What has its effect already is skipped.
 */
export abstract class SqlMigration implements MigrationInterface {
  /** What it does and, in the last 13 digits, the milliseconds since 1970 at which it was written: TypeORM's order. */
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
    if (engine === 'mysql') await runAll(runner, UNBOUNDED);
    try {
      for (const statement of statements[engine]) await runner.query(statement).catch(unlessDone);
    } finally {
      if (engine === 'mysql') await runAll(runner, BOUNDED);
    }
  }
}

/** Ignores settings that the server does not know. */
async function runAll(runner: QueryRunner, settings: readonly string[]): Promise<void> {
  for (const setting of settings) await runner.query(setting).catch(() => undefined);
}

/** The column, the index or the table exists already, or is gone already. */
const DONE = new Set([
  'ER_TABLE_EXISTS_ERROR',
  'ER_BAD_TABLE_ERROR',
  'ER_DUP_FIELDNAME',
  'ER_DUP_KEYNAME',
  'ER_CANT_DROP_FIELD_OR_KEY',
]);

function unlessDone(error: unknown): void {
  if (!(error instanceof StatementFailed && DONE.has(error.code))) throw error;
}
