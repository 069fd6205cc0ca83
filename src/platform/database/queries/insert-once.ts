import type { ObjectLiteral, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { DuplicateKey } from '../errors.js';
import type { JoiningDataSource } from '../units/data-source.js';
import { whereEqual } from './row-values.js';

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

function isStored<Entity extends ObjectLiteral>(rows: Repository<Entity>, entity: Entity): Promise<boolean> {
  const query = rows.createQueryBuilder();
  for (const column of rows.metadata.columns) whereEqual(query, column, entity);
  return query.getExists();
}
