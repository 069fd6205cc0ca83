import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type EntityMetadata } from 'typeorm';
import { listShapeOf } from '../../../src/platform/http/lists/listing.js';
import { PageQuery } from '../../../src/platform/http/lists/page.query.js';
import { Routes } from '../../../src/platform/http/routes.js';
import { documentedFields } from '../../../tools/openapi/dto-metadata.js';

/**
 * What is wrong with the queries of lists: each filter, order and range is of a column of an entity that the module of the
 * controller registers. A module without entities reads its list from elsewhere.
 */
export function faultsOfLists(app: INestApplication): string[] {
  const routes = app.get(Routes, { strict: false }).all();
  return routes.flatMap(({ controller, parameters }) =>
    parameters
      .map(({ declaredType }) => declaredType as typeof PageQuery | undefined)
      .filter((query) => query?.prototype instanceof PageQuery)
      .flatMap((query) => faultsOf(query!, entitiesOf(controller, app))),
  );
}

function faultsOf(query: typeof PageQuery, entities: readonly EntityMetadata[]): string[] {
  const { fields, filters, bounds, sortKeys } = listShapeOf(query.prototype);
  const place = `${fileOf(query)}: ${query.name}`;
  const several = fields
    .filter((field) => Reflect.getMetadata('design:type', query.prototype, field) === Array)
    // One text, as in `@IdsField`.
    .filter((field) => documentedFields(query).get(field)?.['explode'] !== false)
    .map(
      (field) =>
        `${place}.${field} is an array: a field of a list's query has one value. For ids write @IdsField.`,
    );
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
  const strange = missing.map(
    ({ what, use }) =>
      `${place}.${what} is no column of ${metadata!.name}, so the list cannot be ${use} by it. ` +
      (use === 'filtered'
        ? 'Declare it with @Filter(false) if the handler reads it.'
        : 'Name a property that has a column.'),
  );
  return [...several, ...strange];
}

/** The entities that the module of a controller registers with `TypeOrmModule.forFeature`. */
function entitiesOf(controller: Type, app: INestApplication): EntityMetadata[] {
  const modules = [...app.get(ModulesContainer).values()];
  const own = modules.find(({ controllers }) => controllers.has(controller));
  const features = [...(own?.imports ?? [])].filter(({ metatype }) => metatype === TypeOrmModule);
  return app
    .get(DataSource)
    .entityMetadatas.filter(({ targetName }) =>
      features.some(({ providers }) => providers.has(getRepositoryToken({ name: targetName } as Type))),
    );
}

/** The file that declares a class, below the folders of the project. */
function fileOf({ name }: Type): string {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const declares = new RegExp(`\\bclass ${name}\\b`);
  return files.find((file) => file.endsWith('.ts') && declares.test(readFileSync(file, 'utf8'))) ?? name;
}
