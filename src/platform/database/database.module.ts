import { Global, Module } from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Settings } from '../config/settings.js';
import { Metrics } from '../observability/metrics/metrics.js';
import { dataSourceOptions, type Entity } from './data-source-options.js';
import { JoiningDataSource } from './units/data-source.js';
import { Database } from './database.js';
import { DatabaseClock } from './database-clock.js';
import { watchDatabase } from './database-metrics.js';
import { LeaseRows, LeaseSchema } from './leases/lease-rows.js';
import { Leases } from './leases/leases.js';
import { CreateLeases } from './migrations/create-leases.migration.js';
import { Migrations, migrationsOf } from './migrations/migrations.decorator.js';
import { Migrator } from './migrations/migrator.js';
import { Purge } from './leases/purge.js';
import { CreateSequences } from './sequence/create-sequences.migration.js';
import { SequenceSchema, Sequences } from './sequence/sequences.js';

/**
 * The entities that the modules of this application register with `TypeOrmModule.forFeature`. Nest's `autoLoadEntities` would load the
 * entities of all applications in the process, and a test may start several. The provider of a repository passes its entity only to the
 * data source, so each provider is called with an object that collects what it gets.
 */
function entitiesOf(modules: ModulesContainer): Entity[] {
  const entities = new Set<Entity>();
  const source = {
    entityMetadatas: [],
    options: {},
    getRepository: (entity: Entity) => entities.add(entity),
  };
  for (const { metatype, providers } of modules.values())
    for (const { inject, metatype: provide } of metatype === TypeOrmModule ? providers.values() : [])
      if (inject?.includes(DataSource)) (provide as unknown as (from: typeof source) => void)(source);
  return [...entities];
}

/** The database for all modules. They register their schemas with `TypeOrmModule.forFeature`, and `Database` opens the database. */
@Global()
@Migrations(CreateSequences, CreateLeases)
@Module({
  imports: [
    DiscoveryModule,
    TypeOrmModule.forRootAsync({
      inject: [Settings, ModulesContainer],
      useFactory: (settings: Settings, modules: ModulesContainer) => ({
        ...dataSourceOptions(settings.database, settings.databasePoolSize, migrationsOf(modules)),
        entities: entitiesOf(modules),
        manualInitialization: true,
      }),
      dataSourceFactory: (options) => Promise.resolve(new JoiningDataSource(options!)),
    }),
    TypeOrmModule.forFeature([SequenceSchema, LeaseSchema]),
  ],
  providers: [
    { provide: JoiningDataSource, useExisting: DataSource },
    { provide: UnitOfWork, useExisting: DataSource },
    Database,
    DatabaseClock,
    LeaseRows,
    Leases,
    Migrator,
    Purge,
    Sequences,
  ],
  exports: [Database, DatabaseClock, JoiningDataSource, Leases, Migrator, Sequences, UnitOfWork],
})
export class DatabaseModule {
  constructor(metrics: Metrics, source: JoiningDataSource, leases: Leases) {
    watchDatabase(metrics, source, leases);
  }
}
