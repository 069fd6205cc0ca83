import type { Database as SqliteFile } from 'better-sqlite3';
import type { PoolOptions } from 'mysql2';
import type { DataSourceOptions, EntitySchema } from 'typeorm';
import type { DatabaseUrl } from '../config/database-url.js';
import type { MigrationClass } from './migrations/migrations.decorator.js';
import { HostPools } from './mysql/host-pools.js';
import { realPathOf } from './sqlite/database-file.js';
import { keepObjects } from './sqlite/kept-objects.js';

/** The options of the data source for a URL. `poolSize` limits the connections to MySQL; SQLite always has one. */
export function dataSourceOptions(
  url: DatabaseUrl,
  poolSize: number,
  migrations: MigrationClass[],
): DataSourceOptions {
  const shared = {
    migrations,
    synchronize: false,
    migrationsRun: false,
    // Entities are restored as they were stored, without the rules of their constructors.
    entitySkipConstructor: true,
  };
  if (url.engine === 'sqlite') {
    return {
      ...shared,
      type: 'better-sqlite3',
      database: realPathOf(url.file),
      timeout: 2_000,
      prepareDatabase,
      // `keepObjects` caches all statements of the file.
      statementCacheSize: 0,
    };
  }
  return {
    ...shared,
    type: 'mysql',
    driver: { createPool: (options: PoolOptions) => new HostPools(options, url.hosts) },
    username: url.user,
    password: url.password,
    database: url.database,
    charset: 'utf8mb4',
    timezone: 'Z',
    // A calendar day would become an instant, at which it is another day west of Greenwich.
    dateStrings: ['DATE'],
    connectTimeout: 1_000,
    poolSize,
    ...(url.tls && { ssl: { rejectUnauthorized: true, verifyIdentity: true, minVersion: 'TLSv1.2' } }),
    extra: {
      // mysql2 never closes idle connections if as many may be idle as the pool holds.
      maxIdle: Math.max(1, poolSize - 1),
      idleTimeout: 60_000,
      // A longer queue would not be served in time.
      queueLimit: poolSize * 100,
      // TypeORM parses JSON. If mysql2 parsed it too, the text '"123"' would become a number.
      jsonStrings: true,
    },
  };
}

/** A class with TypeORM's decorators, or a schema. */
export type Entity = (new () => unknown) | EntitySchema;

/** WAL lets the command line work beside the service; FULL makes acknowledged commits survive a crash. */
function prepareDatabase(file: SqliteFile): void {
  keepObjects(file);
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
  // In bytes, above what a `-wal` has without long readers: after one it is cut off again.
  file.pragma('journal_size_limit = 16777216');
  // Reads every integer exactly, as a bigint; the query runner converts those that fit into numbers.
  file.defaultSafeIntegers(true);
}
