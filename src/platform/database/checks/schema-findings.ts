import { type EntityMetadata, type QueryRunner, type Table, TableColumn } from 'typeorm';
import { TableUtils } from 'typeorm/schema-builder/util/TableUtils.js';
import { type CheckResult, problem, warning } from '../../doctor/check.js';
import type { JoiningDataSource } from '../data-source.js';
import { readable } from '../migrations/schema-difference.js';
import { MySqlQueryRunner } from '../mysql/mysql-query-runner.js';

/** How the tables differ from the schemas of this version, table by table. Other checks find missing tables and columns. */
export function schemaFindings(source: JoiningDataSource): Promise<CheckResult[]> {
  return source.beforeOpen(async () => {
    const runner = source.createQueryRunner();
    try {
      // The table of an entity with children also has the children's columns.
      const metadata = source.entityMetadatas.filter(
        ({ tableType }) => tableType !== 'view' && tableType !== 'entity-child',
      );
      const tables = await runner.getTables(metadata.map(({ tableName }) => tableName));
      return metadata.flatMap((schema) => {
        const table = tables.find(({ name }) => name.split('.').at(-1) === schema.tableName);
        return table ? compare(runner, schema, table) : [];
      });
    } finally {
      await runner.release();
    }
  });
}

function compare(runner: QueryRunner, schema: EntityMetadata, table: Table): CheckResult[] {
  const { driver } = runner.dataSource;
  const missing = schema.indices.filter((index) => !table.indices.some(({ name }) => name === index.name));
  // A missing UNIQUE of a column is found as a missing index.
  const unique = missing.flatMap((index) => (index.isUnique ? index.columns : []));
  const changed = driver
    .findChangedColumns(table.columns, schema.columns)
    .filter((column) => !unique.includes(column));
  const unknown = table.columns.filter((column) => !schema.findColumnWithDatabaseName(column.name));
  const refusing = unknown.filter((column) => !column.isNullable && column.default === undefined);
  const harmless = unknown.filter((column) => !refusing.includes(column));

  const found: CheckResult[] = [];
  const name = schema.tableName;
  for (const column of changed) {
    const stored = table.findColumnByName(column.databaseName)!;
    const wanted = new TableColumn(TableUtils.createTableColumnOptions(column, driver));
    const [is, should] = [stored, wanted].map((one) => definitionOf(runner, one));
    const what = `The column ${stored.name} of ${name} is ${is}, where this version stores ${should}${is === should ? ' with another key' : ''}.`;
    // SQLite cannot change a column: what was changed by hand has to be copied by hand.
    const remedy =
      runner instanceof MySqlQueryRunner
        ? `ALTER TABLE ${name} MODIFY ${stored.name} ${should};`
        : 'Copy the rows into a table that petstore db migrate has made in another file.';
    found.push(problem(what, remedy));
  }
  for (const { name: index, columns, isUnique } of missing) {
    const on = list(columns.map(({ databaseName }) => databaseName));
    const what = `The table ${name} has no index ${index}, without which it becomes slow${isUnique ? ' and accepts duplicates' : ''}.`;
    found.push(problem(what, `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${index} ON ${name} (${on});`));
  }
  if (refusing.length > 0) {
    const what = `The table ${name} takes no rows of this version, for they lack values of columns that it does not know`;
    const remedy = 'Give these columns a default or let them be NULL, or start the version that knows them.';
    found.push(problem(`${what}: ${list(refusing.map((column) => column.name))}.`, remedy));
  }
  if (harmless.length > 0) {
    const what = `The table ${name} has columns that this version does not know`;
    const remedy =
      'Columns of a newer version are harmless. If there is no newer version, find out who added them.';
    found.push(warning(`${what}: ${list(harmless.map((column) => column.name))}.`, remedy));
  }
  return found;
}

/** The definition as it appears in a statement. */
function definitionOf(runner: QueryRunner, column: TableColumn): string {
  if (runner instanceof MySqlQueryRunner) return readable(runner.definitionOf(column));
  const value = column.default === undefined ? '' : ` DEFAULT ${column.default}`;
  return `${runner.dataSource.driver.createFullType(column)}${column.isNullable ? '' : ' NOT NULL'}${value}`;
}

const list = (names: readonly string[]) => names.join(', ');
