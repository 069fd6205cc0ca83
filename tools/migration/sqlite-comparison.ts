import { type EntityMetadata, type QueryRunner, type Table, TableCheck, type TableColumn } from 'typeorm';
import { Query } from 'typeorm/driver/Query.js';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { SqliteQueryRunner } from '../../src/platform/database/sqlite/sqlite-query-runner.js';
import { StrictSqliteDriver, strictType } from '../../src/platform/database/sqlite/strict-driver.js';

type ColumnChange = Readonly<Record<'oldColumn' | 'newColumn', TableColumn>>;

/** Compares only what a STRICT table stores of a column. */
export class ComparingSqliteDriver extends StrictSqliteDriver {
  override createFullType(column: TableColumn): string {
    return column.enum ? super.createFullType(column) : column.type;
  }
}

/** Writes statements that change a table in place where SQLite supports it, and reads the checks of STRICT tables. */
export class ComparingSqliteRunner extends SqliteQueryRunner {
  /**
   * Adds columns in place if SQLite supports it. TypeORM would copy the whole table, and lose constraints that it does not know.
   */
  override async addColumns(tableOrName: Table | string, columns: TableColumn[]): Promise<void> {
    if (!columns.every(canBeAddedInPlace)) return super.addColumns(tableOrName, columns);
    const table = typeof tableOrName === 'string' ? await this.getCachedTable(tableOrName) : tableOrName;
    const alter = `ALTER TABLE ${this.escapePath(table)}`;
    await this.executeQueries(
      columns.map((column) => new Query(`${alter} ADD COLUMN ${this.buildCreateColumnSql(column)}`)),
      columns.map(({ name }) => new Query(`${alter} DROP COLUMN "${name}"`)),
    );
    const changed = table.clone();
    for (const column of columns) changed.addColumn(column);
    this.replaceCachedTable(table, changed);
  }

  /** If a column is not unique any more, TypeORM would recreate the table with its old constraint. */
  override async changeColumns(tableOrName: Table | string, changes: ColumnChange[]): Promise<void> {
    const table = typeof tableOrName === 'string' ? await this.getCachedTable(tableOrName) : tableOrName;
    const freed = changes.filter(({ oldColumn, newColumn }) => oldColumn.isUnique && !newColumn.isUnique);
    const constraints = table.uniques.filter(
      ({ columnNames: [name, ...others] }) =>
        others.length === 0 && freed.some(({ oldColumn }) => oldColumn.name === name),
    );
    if (constraints.length > 0) await this.dropUniqueConstraints(table, constraints);
    await super.changeColumns(table, changes);
  }

  /** SQLite does not have MySQL's collations. */
  protected override buildCreateColumnSql(column: TableColumn, skipPrimary?: boolean): string {
    return super.buildCreateColumnSql(Object.assign(column.clone(), { collation: undefined }), skipPrimary);
  }

  protected override async loadTables(names?: string[]): Promise<Table[]> {
    const tables = await super.loadTables(names);
    await addChecksOfStrictTables(this, tables);
    for (const table of tables) {
      const entity = this.dataSource.entityMetadatas.find(({ tableName }) => tableName === table.name);
      if (entity) addWhatSqliteLacks(table, entity);
    }
    return tables;
  }
}

/** A STRICT table has neither lengths nor digits of columns, and TypeORM does not read the names of its constraints. */
function addWhatSqliteLacks(table: Table, { columns, uniques }: EntityMetadata): void {
  for (const column of table.columns) {
    const {
      length = '',
      precision,
      scale,
    } = columns.find(({ databaseName }) => databaseName === column.name) ?? {};
    Object.assign(column, { length, precision, scale });
    if (!column.enum) column.type = strictType(column.type);
  }
  for (const unique of table.uniques) {
    const isSame = (own: ColumnMetadata[]) =>
      own.map(({ databaseName }) => databaseName).join() === unique.columnNames.join();
    unique.name = uniques.find((one) => isSame(one.columns))?.name ?? unique.name;
  }
}

const CONSTANT = /^(?:[+-]?\d+(?:\.\d+)?|'(?:[^']|'')*')$/;

/** The rules of ADD COLUMN in https://sqlite.org/lang_altertable.html. */
function canBeAddedInPlace({
  isPrimary,
  isUnique,
  asExpression,
  isNullable,
  ...column
}: TableColumn): boolean {
  if (isPrimary || isUnique || asExpression) return false;
  const value: unknown = column.default ?? null;
  return value === null ? isNullable : CONSTANT.test(String(value));
}

/** TypeORM's pattern, except for the text after the last bracket, because it misses the last CHECK of a STRICT table. */
const CHECK = /CONSTRAINT "([^"]*)" CHECK ?(\(.*?\))(?:,|\)$)/gs;

async function addChecksOfStrictTables(runner: QueryRunner, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return;
  const strict = (await runner.query(
    `SELECT m.name, m.sql FROM sqlite_master m, pragma_table_list(m.name) l WHERE m.type = 'table' AND l.schema = 'main' AND l.strict`,
  )) as { name: string; sql: string }[];
  for (const { name, sql } of strict) {
    const table = tables.find((one) => one.name === name);
    const definitions = sql.slice(0, sql.lastIndexOf(')') + 1);
    if (table)
      table.checks = [...definitions.matchAll(CHECK)].map(
        ([, check, expression]) => new TableCheck({ name: check!, expression: expression! }),
      );
  }
}
