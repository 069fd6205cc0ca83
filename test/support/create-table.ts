import { type EntitySchema, type QueryRunner, Table } from 'typeorm';

/** The table that a schema describes; on SQLite without the collations and lengths of text, which MySQL needs. */
export function tableOf({ dataSource }: QueryRunner, schema: EntitySchema): Table {
  const table = Table.create(dataSource.getMetadata(schema), dataSource.driver);
  if (dataSource.options.type === 'better-sqlite3')
    for (const column of table.columns) Object.assign(column, { collation: undefined, length: '' });
  return table;
}
