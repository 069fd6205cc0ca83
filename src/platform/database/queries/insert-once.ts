import { IsNull, type FindOptionsWhere, type ObjectLiteral, type Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { DuplicateKey } from '../database-errors.js';
import type { JoiningDataSource } from '../data-source.js';

/**
 * Inserts a new row, retried when the outcome is unknown: if the same row is there already, an earlier try has
 * stored it. @throws DuplicateKey if another row has the key
 */
export async function insertOnce<Entity extends ObjectLiteral>(
  rows: Repository<Entity>,
  entity: Entity,
): Promise<void> {
  const source = rows.manager.dataSource as JoiningDataSource;
  const insert = () => rows.insert(entity as QueryDeepPartialEntity<Entity>);
  try {
    // What fails inside a transaction fails the transaction.
    await (source.insideTransaction ? insert() : source.retries.retryUnknownOutcome(insert));
  } catch (error) {
    if (!(error instanceof DuplicateKey) || !(await isStored(rows, entity))) throw error;
  }
}

/** The database compares, for it knows when two values are the same: "1.5" is a DECIMAL of 1.50. */
function isStored<Entity extends ObjectLiteral>(rows: Repository<Entity>, entity: Entity): Promise<boolean> {
  const values = rows.metadata.columns.map((column) => {
    const value: unknown = column.getEntityValue(entity);
    return [column.propertyName, value ?? IsNull()];
  });
  return rows.existsBy(Object.fromEntries(values) as FindOptionsWhere<Entity>);
}
