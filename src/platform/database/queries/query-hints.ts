import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Locks the rows that a query finds until its unit of work ends. SQLite needs no lock, because it runs one unit at a time;
 * TypeORM rejects `setLock` there.
 */
export function forUpdate<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
): SelectQueryBuilder<Entity> {
  return query.dataSource.options.type === 'better-sqlite3' ? query : query.setLock('pessimistic_write');
}
