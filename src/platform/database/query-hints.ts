import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Adds a condition that an index answers, and has the rows read through that index whatever the statistics say: else the
 * engine may read rows of other kinds in vain. MySQL is told the index, SQLite that few rows are like that.
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
 * Has a query, inside a unit of work, lock the rows that it finds until the unit ends. SQLite needs no lock: a unit is alone
 * there from its beginning, and TypeORM refuses `setLock`.
 */
export function forUpdate<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
): SelectQueryBuilder<Entity> {
  return query.dataSource.options.type === 'better-sqlite3' ? query : query.setLock('pessimistic_write');
}
