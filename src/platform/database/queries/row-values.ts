import type { ObjectLiteral, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

/** All columns of an entity for `Repository.update`. TypeORM skips undefined values, and would leave such columns unchanged. */
export const valuesOf = <Entity extends ObjectLiteral>({ metadata }: Repository<Entity>, entity: Entity) =>
  Object.fromEntries(
    metadata.columns.map((column) => [
      column.propertyName,
      (column.getEntityValue(entity) as unknown) ?? null,
    ]),
  ) as QueryDeepPartialEntity<Entity>;
