import { randomUUID } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Settings } from '../config/settings.js';
import { CreateSequences } from './create-sequences.migration.js';
import { createDataSource } from './data-source.js';
import { Database } from './database.js';
import { MigrationLease } from './migration-lease.js';
import { Migrations, migrationsOf } from './migrations.decorator.js';
import { Migrator } from './migrator.js';
import { SchemaCheck } from './schema-check.js';
import { Sequences } from './sequences.js';
import { ServerCheck } from './server-check.js';
import { SessionCheck } from './session-check.js';
import { Sql } from './sql.js';
import { SqliteFileCheck } from './sqlite-file-check.js';
import { TypeOrmUnitOfWork } from './typeorm-unit-of-work.js';

/** The database for all modules. */
@Global()
@Migrations(CreateSequences)
@Module({
  providers: [
    {
      provide: DataSource,
      useFactory: (settings: Settings, modules: ModulesContainer) =>
        createDataSource(settings.database, settings.databasePoolSize, migrationsOf(modules)),
      inject: [Settings, ModulesContainer],
    },
    { provide: Sql, useFactory: (source: DataSource) => new Sql(source), inject: [DataSource] },
    { provide: UnitOfWork, useFactory: (sql: Sql) => new TypeOrmUnitOfWork(sql), inject: [Sql] },
    {
      provide: Sequences,
      useFactory: (sql: Sql, clock: Clock) => new Sequences(sql, clock),
      inject: [Sql, Clock],
    },
    {
      provide: Migrator,
      useFactory: (source: DataSource, clock: Clock) =>
        new Migrator(source, new MigrationLease(source, clock, randomUUID())),
      inject: [DataSource, Clock],
    },
    {
      provide: Database,
      useFactory: (source: DataSource, migrator: Migrator, sql: Sql, settings: Settings) =>
        new Database(source, migrator, sql, settings),
      inject: [DataSource, Migrator, Sql, Settings],
    },
    {
      provide: SchemaCheck,
      useFactory: (migrator: Migrator) => new SchemaCheck(migrator),
      inject: [Migrator],
    },
    {
      provide: ServerCheck,
      useFactory: (sql: Sql, clock: Clock, { database }: Settings) =>
        new ServerCheck(sql, clock, database.engine),
      inject: [Sql, Clock, Settings],
    },
    {
      provide: SessionCheck,
      useFactory: (sql: Sql, { database }: Settings) => new SessionCheck(sql, database.engine),
      inject: [Sql, Settings],
    },
    {
      provide: SqliteFileCheck,
      useFactory: ({ database }: Settings) => new SqliteFileCheck(database),
      inject: [Settings],
    },
  ],
  exports: [Database, Migrator, Sequences, Sql, UnitOfWork],
})
export class DatabaseModule {}
