import {
  type ObjectLiteral,
  PessimisticLockTransactionRequiredError,
  type SelectQueryBuilder,
} from 'typeorm';
import { JoiningDataSource } from '../units/data-source.js';

/**
 * Locks the rows that a query finds until its unit of work ends. It waits for rows that others have locked, or skips them. SQLite needs no
 * lock, because it runs one unit at a time, and TypeORM rejects `setLock` there.
 * @throws PessimisticLockTransactionRequiredError outside of a unit of work: here on SQLite, and when the query is executed on MySQL
 */
export function forUpdate<Entity extends ObjectLiteral>(
  query: SelectQueryBuilder<Entity>,
  locked: 'wait' | 'skip' = 'wait',
): SelectQueryBuilder<Entity> {
  const { dataSource } = query;
  if (dataSource.options.type === 'better-sqlite3') {
    if (dataSource instanceof JoiningDataSource && !dataSource.insideTransaction)
      throw new PessimisticLockTransactionRequiredError();
    return query;
  }
  query.setLock('pessimistic_write');
  return locked === 'skip' ? query.setOnLocked('skip_locked') : query;
}
