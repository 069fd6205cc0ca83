import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BOUNDED, UNBOUNDED } from '../mysql/session-settings.js';

type Statements = Record<'sqlite' | 'mysql', readonly string[]>;

/**
 * A change of the schema in plain SQL. MySQL commits after each statement that changes a table, so a statement must do no
 * harm when it runs a second time (`IF NOT EXISTS`): the migration that was cut off starts anew. It may take its time.
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
    for (const statement of statements[engine]) await runner.query(statement);
    if (engine === 'mysql') await runAll(runner, BOUNDED);
  }
}

/** Which of the settings a server knows is its own matter. */
async function runAll(runner: QueryRunner, settings: readonly string[]): Promise<void> {
  for (const setting of settings) await runner.query(setting).catch(() => undefined);
}
