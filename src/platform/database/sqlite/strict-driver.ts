import type { ColumnType, EntityMetadata } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { refuseType } from '../refused-types.js';
import { cutInstant, keepAsMySql } from './strict-values.js';

/** The type of a STRICT table for each type of MySQL. TypeORM finds the values of an enum only in a `varchar`. */
const STRICT: readonly (readonly [of: RegExp, type: string])[] = [
  [/^(?:(?:tiny|small|medium|big)?int|integer|bool|boolean|year)$/, 'integer'],
  [/char$|text$|^(?:date|time|datetime|timestamp|json)$/, 'text'],
  [/^(?:double|real|dec|numeric|fixed)/, 'real'],
  [/(?:blob|binary)$/, 'blob'],
  [/^enum$/, 'varchar'],
];
const DECIMAL = /^(?:dec|numeric|fixed)/;
/** A REAL keeps that many digits of each number. */
const MAX_DIGITS = 15;

export const strictType = (type: string): string => STRICT.find(([of]) => of.test(type))?.[1] ?? type;

/** Translates the types of entities, which are types of MySQL, to the types of STRICT tables. Values are the same as on MySQL. */
export class StrictSqliteDriver extends BetterSqlite3Driver {
  /** TypeORM also knows types that only SQLite has. */
  override supportedDataTypes: ColumnType[] = ['integer', 'text', 'real', 'blob', 'varchar'];

  override async afterConnect(): Promise<void> {
    await super.afterConnect();
    const all = this.dataSource.entityMetadatas.flatMap(({ columns }) => columns);
    // A table of several entities shares columns.
    new Set(all).forEach(keepAsMySql);
  }

  override normalizeType(
    column: Partial<Pick<ColumnMetadata, 'type' | 'precision' | 'enum' | 'propertyName' | 'entityMetadata'>>,
  ): string {
    refuseType(column);
    const type = super.normalizeType(column as never);
    if (DECIMAL.test(type) && (column.precision ?? 10) > MAX_DIGITS)
      throw new Error(
        `${column.propertyName} is a decimal of ${column.precision} digits, and SQLite keeps ${MAX_DIGITS}. Take columns.decimal, which has 18.`,
      );
    return column.enum && type === 'varchar' ? type : strictType(type);
  }

  /** A condition of a list compares all digits of an instant, so only a value that is stored loses them. */
  override preparePersistentValue(value: unknown, column: ColumnMetadata): unknown {
    const stored: unknown = super.preparePersistentValue(value, column);
    return column.type === 'datetime' && typeof stored === 'string' ? cutInstant(stored, column) : stored;
  }

  /** The name that MySQL has for a key of these columns, such as `pets.name, pets.kind`. SQLite reports only the columns. */
  keyOf(columns: string): string {
    const [table = ''] = columns.split('.');
    const names = columns.split(', ').map((column) => column.slice(table.length + 1));
    const isThis = ({ columns: own }: Pick<EntityMetadata, 'columns'>) =>
      own.length === names.length && own.every(({ databaseName }) => names.includes(databaseName));
    const entity = this.dataSource.entityMetadatas.find(({ tableName }) => tableName === table);
    if (!entity) return columns;
    if (isThis({ columns: entity.primaryColumns })) return 'PRIMARY';
    const key = [...entity.uniques, ...entity.indices.filter(({ isUnique }) => isUnique)].find(isThis);
    return key ? (key.givenName ?? this.dataSource.namingStrategy.indexName(table, names)) : columns;
  }
}
