import type { ObjectLiteral, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { DuplicateKey } from '../errors.js';
import type { JoiningDataSource } from '../data-source.js';
import { whereEqual } from './row-values.js';

/**
 * Inserts a new row and retries if the outcome is unknown: if the same row exists already, an earlier try has stored it, and with it
 * what `alongside` stores in the same transaction. @throws DuplicateKey if another row has the key
 */
export async function insertOnce<Entity extends ObjectLiteral>(
  rows: Repository<Entity>,
  entity: Entity,
  alongside?: () => Promise<void>,
): Promise<void> {
  const source = rows.manager.dataSource as JoiningDataSource;
  const insertRow = async () => void (await rows.insert(entity as QueryDeepPartialEntity<Entity>));
  const insert = alongside ? () => source.run(() => insertRow().then(alongside)) : insertRow;
  try {
    // An error inside a transaction fails the whole transaction.
    await (source.insideTransaction ? insert() : source.retries.retryUnknownOutcome(insert));
  } catch (error) {
    if (!(error instanceof DuplicateKey) || !(await isStored(rows, entity))) throw error;
  }
}

function isStored<Entity extends ObjectLiteral>(rows: Repository<Entity>, entity: Entity): Promise<boolean> {
  const query = rows.createQueryBuilder();
  for (const column of rows.metadata.columns) whereEqual(query, column, entity);
  return query.getExists();
}
