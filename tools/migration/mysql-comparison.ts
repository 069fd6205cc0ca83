import type { Table, TableColumn } from 'typeorm';
import { Query } from 'typeorm/driver/Query.js';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { MySqlDriver } from '../../src/platform/database/mysql/mysql-driver.js';
import { MySqlQueryRunner } from '../../src/platform/database/mysql/mysql-query-runner.js';
import type { Collations } from './collations.js';

/** TypeORM compares everything about a column except its collation, which decides what is equal and what can be stored. */
export class ComparingMySqlDriver extends MySqlDriver {
  /** Undefined until tables and schemas are compared. */
  collations: Collations | undefined;

  /** TypeORM would round the default of a DOUBLE to an integer. */
  override normalizeDefault(column: ColumnMetadata): string | undefined {
    const { default: value, scale } = column;
    return typeof value === 'number' && scale === undefined ? `'${value}'` : super.normalizeDefault(column);
  }

  override findChangedColumns(stored: TableColumn[], wanted: ColumnMetadata[]): ColumnMetadata[] {
    const isStored = ({ databaseName }: ColumnMetadata) => stored.some(({ name }) => name === databaseName);
    const others = wanted.filter((column) => isStored(column) && this.collations?.isOther(column));
    return [...new Set([...super.findChangedColumns(stored, wanted), ...others])];
  }
}

/** Writes statements that do not lose data, and reads tables in the form in which they are written. */
export class ComparingMySqlRunner extends MySqlQueryRunner {
  declare driver: ComparingMySqlDriver;

  /**
   * Changes the type or length of a column in place, because TypeORM would drop and recreate the column, and lose its data. For a
   * column that becomes unique TypeORM would create two indexes. This leaves only the index of the entity.
   */
  override async changeColumn(
    tableOrName: Table | string,
    oldOrName: TableColumn | string,
    given: TableColumn,
  ): Promise<void> {
    const table = typeof tableOrName === 'string' ? await this.getCachedTable(tableOrName) : tableOrName;
    const old = typeof oldOrName === 'string' ? table.findColumnByName(oldOrName) : oldOrName;
    const column = given.clone();
    column.isUnique &&= old?.isUnique ?? true;
    if (!old || !canBeChangedInPlace(old, column)) return super.changeColumn(table, oldOrName, column);
    // TypeORM itself changes the keys.
    const between = column.clone();
    Object.assign(between, { isPrimary: old.isPrimary, isUnique: old.isUnique });
    const change = `ALTER TABLE ${this.escapePath(table)} CHANGE \`${column.name}\``;
    await this.executeQueries(
      new Query(`${change} ${this.buildCreateColumnSql(between, true)}`),
      new Query(`${change} ${this.buildCreateColumnSql(old, true)}`),
    );
    const changed = table.clone();
    changed.columns = changed.columns.map((one) => (one.name === column.name ? between : one));
    this.replaceCachedTable(table, changed);
    return super.changeColumn(table, between, column);
  }

  /** MariaDB does not allow a NULL clause on a computed column, and the collation must stand after the values of an enum. */
  protected override buildCreateColumnSql(column: TableColumn, ...how: [boolean, boolean?]): string {
    const text = super.buildCreateColumnSql(column, ...how);
    if (column.enum) return text.replace(COLLATION_AND_VALUES, '$2$1');
    return column.asExpression ? text.replace(/(VIRTUAL|STORED) (?:NOT )?NULL/, '$1') : text;
  }

  /**
   * Adds collations, writes defaults as in a statement, because TypeORM quotes MariaDB's defaults, and makes computed columns
   * nullable if their entity does.
   */
  protected override async loadTables(names?: string[]): Promise<Table[]> {
    const tables = await super.loadTables(names);
    for (const table of tables) {
      this.driver.collations?.addTo(table);
      const entity = this.dataSource.entityMetadatas.find(({ tableName }) => tableName === table.name);
      for (const column of table.columns) {
        column.default = defaultOf(column);
        column.onUpdate = withoutBrackets(column.onUpdate);
        if (column.asExpression)
          column.isNullable = entity?.findColumnWithDatabaseName(column.name)?.isNullable ?? true;
      }
    }
    return tables;
  }
}

/** Computed columns contain no data that could be lost. Only a key can become AUTO_INCREMENT. */
function canBeChangedInPlace(old: TableColumn, column: TableColumn): boolean {
  const counts = old.isGenerated !== column.isGenerated;
  const isOther = old.type !== column.type || old.length !== column.length || counts;
  const isKey = old.isPrimary && column.isPrimary;
  return (
    isOther && (isKey || !counts) && old.name === column.name && !old.generatedType && !column.generatedType
  );
}

/** A quote inside a value is doubled. */
const COLLATION_AND_VALUES =
  /((?: CHARACTER SET "\w+")?(?: COLLATE "\w+")?)( \((?:(?:, )?'(?:[^']|'')*')+\))/;

function defaultOf({ default: given }: TableColumn): string | undefined {
  if (typeof given !== 'string' || given === "'NULL'") return undefined;
  return withoutBrackets(given.replace(/^''(.*)''$/s, "'$1'"));
}

/** MariaDB writes `CURRENT_TIMESTAMP()`. */
const withoutBrackets = (text: string | undefined) =>
  text?.replace(/^CURRENT_TIMESTAMP\(\)$/, 'CURRENT_TIMESTAMP');
