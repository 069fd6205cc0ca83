import type { ObjectLiteral, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';

/** Every column of an entity, for `Repository.update`: TypeORM leaves out what is undefined, which would stay as it was. */
export const valuesOf = <Entity extends ObjectLiteral>({ metadata }: Repository<Entity>, entity: Entity) =>
  Object.fromEntries(
    metadata.columns.map((column) => [
      column.propertyName,
      (column.getEntityValue(entity) as unknown) ?? null,
    ]),
  ) as QueryDeepPartialEntity<Entity>;
