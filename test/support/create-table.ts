import { type EntitySchema, type MigrationInterface, type QueryRunner, Table } from 'typeorm';

/** The table that a schema describes; on SQLite without the collations and lengths of text, which MySQL needs. */
export function tableOf({ dataSource }: QueryRunner, schema: EntitySchema): Table {
  const table = Table.create(dataSource.getMetadata(schema), dataSource.driver);
  if (dataSource.options.type === 'better-sqlite3')
    for (const column of table.columns) Object.assign(column, { collation: undefined, length: '' });
  return table;
}

/** The migration of a sample module that creates the table of a schema, and the sequence of its ids. */
export abstract class CreateTable implements MigrationInterface {
  abstract readonly name: string;
  protected abstract readonly schema: EntitySchema;
  /** Absent if the client or another table gives the ids. */
  protected readonly sequence?: string;

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(tableOf(runner, this.schema));
    if (this.sequence !== undefined)
      await runner.query('INSERT INTO sequences (name, next_id) VALUES (?, 1)', [this.sequence]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(runner.dataSource.getMetadata(this.schema).tableName);
    if (this.sequence !== undefined)
      await runner.query('DELETE FROM sequences WHERE name = ?', [this.sequence]);
  }
}
