import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource, EntityMetadata } from 'typeorm';
import type { Route } from '../routes.js';
import { declaredType } from '../validation/dto-shape.js';
import { listShapeOf } from './listing.js';
import { PageQuery } from './page.query.js';

/**
 * Checks the queries of lists, at the start: each filter, order and range is of a column of an entity
 * that the module of the controller registers.
 * A module without entities reads its list from elsewhere. @throws Error for a field that is neither a column nor declared
 */
export function checkLists(
  routes: readonly Route[],
  modules: ModulesContainer,
  dataSource: DataSource,
): void {
  for (const { controller, parameters } of routes)
    for (const { declaredType: query } of parameters)
      if ((query as Type | undefined)?.prototype instanceof PageQuery)
        checkColumns(query as typeof PageQuery, entitiesOf(controller, modules, dataSource));
}

function checkColumns(query: typeof PageQuery, entities: readonly EntityMetadata[]): void {
  const { fields, filters, bounds, sortKeys } = listShapeOf(query.prototype);
  const several = fields.find((field) => declaredType(query, field) === Array);
  if (several !== undefined)
    throw new Error(`${query.name}.${several} is an array: a field of a list's query has one value.`);
  const uses = [
    ...filters.map((by) => ({ by, what: by, use: 'filtered' })),
    ...Object.keys(sortKeys).map((by) => ({ by, what: `sort: ${by}`, use: 'sorted' })),
    ...[...bounds].map(([field, { by }]) => ({ by, what: `${field}: ${by}`, use: 'limited' })),
  ];
  // All columns are of one entity: the one that has most of them is meant.
  const [{ metadata, missing } = { missing: [] }] = entities
    .map((metadata) => ({
      metadata,
      missing: uses.filter(({ by }) => !metadata.findColumnWithPropertyName(by)),
    }))
    .toSorted((one, other) => one.missing.length - other.missing.length);
  if (missing.length === 0) return;
  const { what, use } = missing[0]!;
  throw new Error(
    `${query.name}.${what} is no column of ${metadata!.name}, so the list cannot be ${use} by it. ` +
      (use === 'filtered'
        ? 'Declare it with @Filter(false) if the handler reads it.'
        : 'Name a property that has a column.'),
  );
}

/** The entities that the module of a controller registers with `TypeOrmModule.forFeature`. */
function entitiesOf(controller: Type, modules: ModulesContainer, dataSource: DataSource): EntityMetadata[] {
  const own = [...modules.values()].find(({ controllers }) => controllers.has(controller));
  const features = [...(own?.imports ?? [])].filter(({ metatype }) => metatype === TypeOrmModule);
  return dataSource.entityMetadatas.filter(({ targetName }) =>
    features.some(({ providers }) => providers.has(getRepositoryToken({ name: targetName } as Type))),
  );
}
