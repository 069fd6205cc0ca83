import type { ObjectLiteral, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { DatabaseUnavailable, DuplicateKey } from '../errors.js';
import type { JoiningDataSource } from '../units/data-source.js';
import type { Work } from '../units/entity-manager.js';
import { whereEqual } from './row-values.js';

/**
 * Inserts a new row. Outside of units of work the insert is tried again if its outcome is unknown. If an equal row exists then, the earlier
 * try has stored it. The code that began a unit of work repeats the unit itself. @throws DuplicateKey if another row has the key, even an
 * equal row
 */
export async function insertOnce<Entity extends ObjectLiteral>(
  rows: Repository<Entity>,
  entity: Entity,
): Promise<void> {
  const row = entity as QueryDeepPartialEntity<Entity>;
  const source = rows.manager.dataSource as JoiningDataSource;
  if (source.insideTransaction) await rows.insert(row);
  else await new RepeatedInserts(rows).run([entity], (manager) => manager.insert(rows.target, row));
}

/** Repeats inserts outside of units of work while the database is unavailable, and recognises the rows of its own tries. */
export class RepeatedInserts<Entity extends ObjectLiteral> {
  /** The entities of tries whose outcome is unknown. Only their rows may already be stored. */
  readonly #uncertain = new WeakSet<Entity>();

  constructor(private readonly rows: Repository<Entity>) {}

  /**
   * Inserts new rows by one statement. If they fail because of a duplicate, each row may be tried again alone, with the same object.
   * @throws DuplicateKey if another row has the key of one of them, even an equal row
   */
  async run(entities: readonly Entity[], insert: Work<unknown>): Promise<void> {
    const source = this.rows.manager.dataSource as JoiningDataSource;
    try {
      await source.repeat(async (manager) => {
        try {
          await insert(manager);
        } catch (error) {
          if (error instanceof DatabaseUnavailable && error.isOutcomeUnknown)
            for (const entity of entities) this.#uncertain.add(entity);
          throw error;
        }
      });
    } catch (error) {
      if (!(error instanceof DuplicateKey) || !(await this.#areStored(entities))) throw error;
    }
  }

  async #areStored(entities: readonly Entity[]): Promise<boolean> {
    for (const entity of entities)
      if (!this.#uncertain.has(entity) || !(await this.#isStored(entity))) return false;
    return true;
  }

  #isStored(entity: Entity): Promise<boolean> {
    const query = this.rows.createQueryBuilder();
    for (const column of this.rows.metadata.columns) whereEqual(query, column, entity);
    return query.getExists();
  }
}
