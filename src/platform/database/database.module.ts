import { Global, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Settings } from '../config/settings.js';
import { SchemaCheck } from './checks/schema-check.js';
import { ServerCheck } from './checks/server-check.js';
import { SessionCheck } from './checks/session-check.js';
import { SqliteFileCheck } from './checks/sqlite-file-check.js';
import { createDataSource, dataSourceOptions, type ServiceOptions } from './create-data-source.js';
import { JoiningDataSource } from './data-source.js';
import { Database } from './database.js';
import { MigrationGenerator } from './migrations/migration-generator.js';
import { MigrationLease, MigrationLeaseSchema } from './migrations/migration-lease.js';
import { Migrations, migrationsOf } from './migrations/migrations.decorator.js';
import { Migrator } from './migrations/migrator.js';
import { SchemaDifference } from './migrations/schema-difference.js';
import { CreateSequences } from './sequence/create-sequences.migration.js';
import { SequenceSchema } from './sequence/sequence.schema.js';
import { Sequences } from './sequence/sequences.js';
import { TypeOrmUnitOfWork } from './typeorm-unit-of-work.js';

/** Nest's TypeOrmModule remembers the schemas of all applications of a process; this one has those of its own modules. */
function isRegisteredIn(modules: ModulesContainer): ServiceOptions['isRegistered'] {
  const features = [...modules.values()].filter(({ metatype }) => metatype === TypeOrmModule);
  return (entity) => features.some(({ providers }) => providers.has(getRepositoryToken(entity)));
}

/** The database for all modules. Each registers its schemas by `TypeOrmModule.forFeature`; `Database` opens it. */
@Global()
@Migrations(CreateSequences)
@Module({
  imports: [
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
    TypeOrmModule.forFeature([SequenceSchema, MigrationLeaseSchema]),
  ],
  providers: [
    { provide: JoiningDataSource, useExisting: DataSource },
    { provide: UnitOfWork, useClass: TypeOrmUnitOfWork },
    Database,
    MigrationLease,
    MigrationGenerator,
    Migrator,
    SchemaDifference,
    Sequences,
    SchemaCheck,
    {
      provide: ServerCheck,
      useFactory: (source: DataSource, clock: Clock, { database }: Settings) =>
        new ServerCheck(source, clock, database.engine),
      inject: [DataSource, Clock, Settings],
    },
    {
      provide: SessionCheck,
      useFactory: (source: DataSource, { database }: Settings) => new SessionCheck(source, database.engine),
      inject: [DataSource, Settings],
    },
    {
      provide: SqliteFileCheck,
      useFactory: ({ database }: Settings) => new SqliteFileCheck(database),
      inject: [Settings],
    },
  ],
  exports: [Database, JoiningDataSource, Migrator, Sequences, UnitOfWork],
})
export class DatabaseModule {}
