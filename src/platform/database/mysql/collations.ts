import type { QueryRunner, Table } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';

/** TypeORM compares everything of a column but its collation, which decides what is equal and what can be stored. */
export function compareCollations(driver: MysqlDriver): void {
  const findChanged = driver.findChangedColumns.bind(driver);
  driver.findChangedColumns = (stored, wanted) => {
    const others = wanted.filter(({ databaseName, collation }) => {
      const column = stored.find(({ name }) => name === databaseName);
      return column !== undefined && collation !== undefined && column.collation !== collation;
    });
    return [...new Set([...findChanged(stored, wanted), ...others])];
  };
}

/** Sets the collation of each column; TypeORM leaves out the default of the database. */
export async function addCollations(runner: QueryRunner, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return;
  const rows = (await runner.query(
    `SELECT table_name AS name, column_name AS col, character_set_name AS charset, collation_name AS collation
     FROM information_schema.columns WHERE table_schema = DATABASE() AND collation_name IS NOT NULL`,
  )) as Record<'name' | 'col' | 'charset' | 'collation', string>[];
  for (const { name, col, charset, collation } of rows) {
    // The name of a table includes the name of its database.
    const table = tables.find((one) => one.name.split('.').at(-1) === name);
    const column = table?.findColumnByName(col);
    if (column) Object.assign(column, { charset, collation });
  }
}
