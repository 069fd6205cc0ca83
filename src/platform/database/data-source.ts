import { DataSource } from 'typeorm';
import type { Database as SqliteFile } from 'better-sqlite3';
import type { PoolOptions } from 'mysql2';
import type { DatabaseUrl } from '../config/database-url.js';
import { HostPools } from './host-pools.js';
import { keepObjects } from './kept-objects.js';
import type { MigrationClass } from './migrations.decorator.js';

/** The data source for a URL, not opened yet. `poolSize` bounds the connections to MySQL; SQLite always has one. */
export function createDataSource(
  url: DatabaseUrl,
  poolSize: number,
  migrations: MigrationClass[],
): DataSource {
  const shared = { migrations, synchronize: false, migrationsRun: false };
  if (url.engine === 'sqlite') {
    return new DataSource({
      ...shared,
      type: 'better-sqlite3',
      database: url.file,
      timeout: 2_000,
      prepareDatabase,
    });
  }
  return new DataSource({
    ...shared,
    type: 'mysql',
    driver: { createPool: (options: PoolOptions) => new HostPools(options, url.hosts) },
    username: url.user,
    password: url.password,
    database: url.database,
    charset: 'utf8mb4',
    timezone: 'Z',
    connectTimeout: 1_000,
    poolSize,
    ...(url.tls && { ssl: { rejectUnauthorized: true, verifyIdentity: true, minVersion: 'TLSv1.2' } }),
    extra: {
      // With as many idle connections allowed as the pool holds, mysql2 never closes one.
      maxIdle: Math.max(1, poolSize - 1),
      idleTimeout: 60_000,
      // Who comes when so many wait already would not be served in time.
      queueLimit: poolSize * 100,
    },
  });
}

/** WAL lets the command line read and write beside the service; FULL makes an acknowledged commit survive a crash. */
function prepareDatabase(file: SqliteFile): void {
  keepObjects(file);
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
}

/** Opens a data source, and makes SQLite give every integer exactly, as a bigint. */
export async function openDataSource(source: DataSource): Promise<void> {
  await source.initialize();
  if (source.options.type !== 'better-sqlite3') return;
  // Only now: TypeORM's own queries while it opens the file expect numbers.
  const { databaseConnection } = source.driver as unknown as { databaseConnection: SqliteFile };
  databaseConnection.defaultSafeIntegers(true);
}
