import { isDeepStrictEqual } from 'node:util';
import type { ObjectLiteral, Repository, WhereExpressionBuilder } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

/**
 * The columns of an entity for `Repository.update`: all columns, or only the columns that differ from `before`. TypeORM skips undefined
 * values, and would leave such columns unchanged, so they become null.
 */
export function valuesOf<Entity extends ObjectLiteral>(
  { metadata }: Repository<Entity>,
  entity: Entity,
  before?: Entity,
): QueryDeepPartialEntity<Entity> {
  const valueIn = (row: Entity, column: ColumnMetadata): unknown => column.getEntityValue(row) ?? null;
  const values: ObjectLiteral = {};
  for (const column of metadata.columns) {
    const value = valueIn(entity, column);
    if (!before || !isDeepStrictEqual(value, valueIn(before, column))) column.setEntityValue(values, value);
  }
  return values as QueryDeepPartialEntity<Entity>;
}

/**
 * Adds the condition to a statement on one table that a column has the value of this entity. A value that is undefined adds no condition if
 * the database sets a value of its own, such as a default. The database compares, because only it knows which values are equal: "1.5"
 * equals a DECIMAL of 1.50.
 */
export function whereEqual(
  query: WhereExpressionBuilder,
  column: ColumnMetadata,
  entity: ObjectLiteral,
): void {
  const { driver } = column.entityMetadata.dataSource;
  const value: unknown = driver.preparePersistentValue(column.getEntityValue(entity), column);
  if (value === undefined && !(column.isNullable && (column.default ?? null) === null)) return;
  const name = driver.escape(column.databaseName);
  const parameter = `is_${column.databaseName}`;
  // MySQL's JSON equals no text.
  const [left, right] = [name, `:${parameter}`].map((text) =>
    column.type === 'json' ? `JSON_EXTRACT(${text}, '$')` : text,
  );
  if (value === null || value === undefined) query.andWhere(`${name} IS NULL`);
  else query.andWhere(`${left} = ${right}`, { [parameter]: value });
}
