import type { MigrationInterface, QueryRunner } from 'typeorm';

type Statements = Record<'sqlite' | 'mysql', readonly string[]>;

/**
 * A change of the schema in plain SQL. MySQL commits after each statement that changes a table, so a statement must do no
 * harm when it runs a second time (`IF NOT EXISTS`): the migration that was cut off starts anew.
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
    for (const statement of statements[engine]) await runner.query(statement);
  }
}
