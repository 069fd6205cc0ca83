import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Adds a condition that an index answers, and makes the engine use that index whatever the statistics say: else it may read
 * many rows that do not match. MySQL is forced to the index (see `MySqlQueryRunner`), SQLite gets the hint that few rows match.
 */
export function throughIndex<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  index: string,
  condition: string,
  values: ObjectLiteral,
): SelectQueryBuilder<Entity> {
  const { type } = query.dataSource.options;
  if (type === 'better-sqlite3') return query.andWhere(`unlikely(${condition})`, values);
  return query.useIndex(index).andWhere(condition, values);
}

/**
 * Makes a query, inside a unit of work, lock the rows that it finds until the unit ends. SQLite needs no lock: there is one
 * unit at a time, and TypeORM refuses `setLock`.
 */
export function forUpdate<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
): SelectQueryBuilder<Entity> {
  return query.dataSource.options.type === 'better-sqlite3' ? query : query.setLock('pessimistic_write');
}
