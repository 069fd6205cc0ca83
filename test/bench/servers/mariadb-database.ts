import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import type { BenchDatabase } from './database.js';

/** Large enough for a million pets; the test server used here starts with less. */
export const BUFFER_POOL_MIB = 512;
/** Step in which InnoDB's buffer pool is resized. */
const CHUNK_MIB = 128;
const PAGE_MIB = 16 / 1024;
const MAX_AT_ONCE = 50_000;
/** Limit for row versions not yet purged and for dirty pages not yet flushed: this few do not affect a measurement. */
const QUIET = 100;
const MAX_WAIT_MS = 60_000;

/** Starts a private MariaDB with durable commits. */
export async function startMariaDb(bufferPoolMiB = BUFFER_POOL_MIB): Promise<BenchDatabase> {
  if (!MariaDbServer.isInstalled())
    throw new Error('MariaDB is not installed: apt-get install mariadb-server');
  const server = await MariaDbServer.start();
  const connection = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
  if ((await read(connection, 'SELECT @@innodb_flush_log_at_trx_commit AS value')) !== '1')
    throw new Error('The commits of this MariaDB are not durable.');
  await resizeBufferPool(connection, bufferPoolMiB);
  await connection.query('CREATE DATABASE petstore CHARACTER SET utf8mb4');
  const version = await read(connection, 'SELECT VERSION() AS value');
  return {
    url: server.url('petstore'),
    version: `MariaDB ${version}`,
    async resetTo(lastId) {
      const statement = 'DELETE FROM petstore.pets WHERE id > ? LIMIT ?';
      for (let gone = MAX_AT_ONCE; gone === MAX_AT_ONCE;) {
        const [result] = await connection.query<ResultSetHeader>(statement, [lastId, MAX_AT_ONCE]);
        gone = result.affectedRows;
      }
      await connection.query(`UPDATE petstore.sequences SET next_id = ? WHERE name = 'pets'`, [lastId + 1]);
      // Without it the optimizer plans with whatever statistics the server collected last.
      await connection.query('ANALYZE TABLE petstore.pets');
      await writtenOut(connection);
    },
    limitMemory: (mib) => resizeBufferPool(connection, mib),
    async countAfter(lastId) {
      const statement = `SELECT COUNT(*) AS value FROM petstore.pets WHERE id > ${lastId}`;
      return Number(await read(connection, statement));
    },
    async stop() {
      await connection.end();
      await server.stop();
    },
  };
}

/** The server responds at once and then resizes asynchronously, in chunks. */
async function resizeBufferPool(connection: Connection, mib: number): Promise<void> {
  await connection.query('SET GLOBAL innodb_buffer_pool_size = ?', [mib * 2 ** 20]);
  const wanted = Math.ceil(mib / CHUNK_MIB) * CHUNK_MIB;
  const present = async () => (await readStatus(connection, 'Innodb_buffer_pool_pages_total')) * PAGE_MIB;
  while (Math.abs((await present()) / wanted - 1) > 0.05) await sleep(100);
}

/** Flushes pending writes to disk now, instead of during a measurement. */
async function writtenOut(connection: Connection): Promise<void> {
  const waited = performance.now();
  await connection.query('SET GLOBAL innodb_max_dirty_pages_pct = 0');
  while (performance.now() - waited < MAX_WAIT_MS && (await busy(connection))) await sleep(100);
  await connection.query('SET GLOBAL innodb_max_dirty_pages_pct = DEFAULT');
}

async function read(connection: Connection, statement: string): Promise<string> {
  const [[row]] = await connection.query<RowDataPacket[]>(statement);
  return String(row?.['value'] ?? row?.['Value']);
}

const readStatus = async (connection: Connection, name: string): Promise<number> =>
  Number(await read(connection, `SHOW GLOBAL STATUS LIKE '${name}'`));

async function busy(connection: Connection): Promise<boolean> {
  for (const name of ['Innodb_history_list_length', 'Innodb_buffer_pool_pages_dirty']) {
    if ((await readStatus(connection, name)) > QUIET) return true;
  }
  return false;
}
