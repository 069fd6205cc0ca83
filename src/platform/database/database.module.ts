import { Global, Module } from '@nestjs/common';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Settings } from '../config/settings.js';
import { Metrics } from '../observability/metrics/metrics.js';
import { createDataSource, dataSourceOptions, type ServiceOptions } from './create-data-source.js';
import { JoiningDataSource } from './data-source.js';
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

/** Nest's TypeOrmModule collects the entities of all applications in a process; this keeps those of the own modules. */
function isRegisteredIn(modules: ModulesContainer): ServiceOptions['isRegistered'] {
  const own = new Set<unknown>();
  // The provider of a repository tells its entity to the data source alone; its token has the name, which others may have too.
  const source = { entityMetadatas: [], options: {}, getRepository: (entity: unknown) => own.add(entity) };
  for (const { metatype, providers } of modules.values())
    for (const { inject, metatype: make } of metatype === TypeOrmModule ? providers.values() : [])
      if (inject?.includes(DataSource)) (make as unknown as (on: typeof source) => void)(source);
  return (entity) => own.has(entity);
}

/** The database for all modules. They register their schemas with `TypeOrmModule.forFeature`; `Database` opens it. */
@Global()
@Migrations(CreateSequences, CreateLeases)
@Module({
  imports: [
    DiscoveryModule,
    TypeOrmModule.forRootAsync({
      inject: [Settings, ModulesContainer],
      useFactory: (settings: Settings, modules: ModulesContainer) => ({
        ...dataSourceOptions(settings.database, settings.databasePoolSize, migrationsOf(modules)),
        autoLoadEntities: true,
        isRegistered: isRegisteredIn(modules),
        manualInitialization: true,
      }),
      dataSourceFactory: (options) => Promise.resolve(createDataSource(options as ServiceOptions)),
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
