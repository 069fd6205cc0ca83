import { DataSource } from 'typeorm';
import type { Database as SqliteFile } from 'better-sqlite3';
import { createPool, type Pool, type PoolOptions } from 'mysql2';
import type { DatabaseUrl } from '../config/database-url.js';
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
    driver,
    host: url.host,
    port: url.port,
    username: url.user,
    password: url.password,
    database: url.database,
    charset: 'utf8mb4',
    timezone: 'Z',
    connectTimeout: 5_000,
    poolSize,
    // With as many idle connections allowed as the pool holds, mysql2 never closes one.
    extra: { maxIdle: Math.max(1, poolSize - 1), idleTimeout: 60_000 },
  });
}

/** WAL lets the command line read and write beside the service; FULL makes an acknowledged commit survive a crash. */
function prepareDatabase(file: SqliteFile): void {
  file.pragma('journal_mode = WAL');
  file.pragma('synchronous = FULL');
}

/** A pool whose every connection, the first included, has a session that does not depend on the server's configuration. */
const driver = {
  createPool(options: PoolOptions): Pool {
    const pool = createPool(options);
    pool.on('connection', (connection) => {
      // Without its session a connection must not be used.
      for (const statement of SESSION) connection.query(statement, (error) => error && connection.destroy());
    });
    return pool;
  },
};

const SESSION = [
  // Strict, and never NO_BACKSLASH_ESCAPES: the driver escapes values with backslashes.
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO',
     time_zone = '+00:00', innodb_lock_wait_timeout = 5`,
  // A step that lost a race looks again inside the same transaction and must see what the winner stored.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

/** Opens a data source, and makes SQLite give every integer exactly, as a bigint. */
export async function openDataSource(source: DataSource): Promise<void> {
  await source.initialize();
  if (source.options.type !== 'better-sqlite3') return;
  // Only now: TypeORM's own queries while it opens the file expect numbers.
  const { databaseConnection } = source.driver as unknown as { databaseConnection: SqliteFile };
  databaseConnection.defaultSafeIntegers(true);
}
