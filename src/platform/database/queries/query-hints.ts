import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Adds a condition and makes the engine use this index for it, whatever its statistics suggest; otherwise it may read many rows
 * that do not match. MySQL gets FORCE INDEX (see `MySqlQueryRunner`), SQLite the hint that few rows match.
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
 * Locks the rows that a query finds until its unit of work ends; waits for, or skips, those that others have locked. SQLite needs no
 * lock, because it runs one unit at a time; TypeORM rejects `setLock` there.
 */
export function forUpdate<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  locked: 'wait' | 'skip' = 'wait',
): SelectQueryBuilder<Entity> {
  if (query.dataSource.options.type === 'better-sqlite3') return query;
  query.setLock('pessimistic_write');
  return locked === 'skip' ? query.setOnLocked('skip_locked') : query;
}
