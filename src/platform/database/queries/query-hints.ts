import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/**
 * Locks the rows that a query finds until its unit of work ends. It waits for rows that others have locked, or skips them. SQLite needs no
 * lock, because it runs one unit at a time, and TypeORM rejects `setLock` there.
 */
export function forUpdate<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  locked: 'wait' | 'skip' = 'wait',
): SelectQueryBuilder<Entity> {
  if (query.dataSource.options.type === 'better-sqlite3') return query;
  query.setLock('pessimistic_write');
  return locked === 'skip' ? query.setOnLocked('skip_locked') : query;
}
