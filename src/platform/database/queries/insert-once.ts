import { IsNull, type FindOptionsWhere, type ObjectLiteral, type Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { DuplicateKey } from '../errors.js';
import type { JoiningDataSource } from '../data-source.js';

/**
 * Inserts a new row. Outside of units of work it is tried again if the outcome is unknown: if the same row exists then, the earlier
 * try has stored it. A unit is repeated by whoever began it. @throws DuplicateKey if another row has the key
 */
export async function insertOnce<Entity extends ObjectLiteral>(
  rows: Repository<Entity>,
  entity: Entity,
): Promise<void> {
  const source = rows.manager.dataSource as JoiningDataSource;
  const row = entity as QueryDeepPartialEntity<Entity>;
  if (source.insideTransaction) return void (await rows.insert(row));
  try {
    await source.repeat((manager) => manager.insert(rows.target, row));
  } catch (error) {
    if (!(error instanceof DuplicateKey) || !(await isStored(rows, entity))) throw error;
  }
}

/** The database compares, because it knows which values are equal: "1.5" equals a DECIMAL of 1.50. */
function isStored<Entity extends ObjectLiteral>(rows: Repository<Entity>, entity: Entity): Promise<boolean> {
  const values = rows.metadata.columns.map((column) => {
    const value: unknown = column.getEntityValue(entity);
    return [column.propertyName, value ?? IsNull()];
  });
  return rows.existsBy(Object.fromEntries(values) as FindOptionsWhere<Entity>);
}
