import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import type { BenchDatabase } from './database.js';

/** Large enough for a million pets; the server of the tests, which this is, makes do with less. */
export const BUFFER_POOL_MIB = 512;
/** In such pieces InnoDB's memory grows and shrinks. */
const CHUNK_MIB = 128;
const PAGE_MIB = 16 / 1024;
const MAX_AT_ONCE = 50_000;
/** Versions of rows that InnoDB has yet to clear away, and pages that it has yet to write: this few disturb nobody. */
const QUIET = 100;
const PATIENCE_MS = 60_000;

/** A MariaDB of our own, whose commits are durable. */
export async function startMariaDb(bufferPoolMiB = BUFFER_POOL_MIB): Promise<BenchDatabase> {
  if (!MariaDbServer.isInstalled())
    throw new Error('MariaDB is not installed: apt-get install mariadb-server');
  const server = await MariaDbServer.start();
  const connection = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
  const limitMemory = async (mib: number) => {
    await connection.query('SET GLOBAL innodb_buffer_pool_size = ?', [mib * 2 ** 20]);
    // The server answers, and then does it, in steps of its own.
    const inChunks = Math.ceil(mib / CHUNK_MIB) * CHUNK_MIB;
    const isDone = async () => {
      const pages = Number(
        await read(connection, `SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_total'`),
      );
      return Math.abs((pages * PAGE_MIB) / inChunks - 1) < 0.05;
    };
    while (!(await isDone())) await sleep(100);
  };
  await limitMemory(bufferPoolMiB);
  await connection.query('CREATE DATABASE petstore CHARACTER SET utf8mb4');
  await connection.query('USE petstore');
  const version = await read(connection, 'SELECT VERSION() AS value');
  if ((await read(connection, 'SELECT @@innodb_flush_log_at_trx_commit AS value')) !== '1')
    throw new Error('The commits of this MariaDB are not durable.');
  return {
    url: server.url('petstore'),
    version: `MariaDB ${version}`,
    async resetTo(lastId) {
      const statement = 'DELETE FROM pets WHERE id > ? LIMIT ?';
      for (let gone = MAX_AT_ONCE; gone === MAX_AT_ONCE;) {
        const [result] = await connection.query<ResultSetHeader>(statement, [lastId, MAX_AT_ONCE]);
        gone = result.affectedRows;
      }
      await connection.query(`UPDATE sequences SET next_id = ? WHERE name = 'pets'`, [lastId + 1]);
      // Without it the server plans by whatever it last happened to count.
      await connection.query('ANALYZE TABLE pets');
      const waited = performance.now();
      // What was loaded is written out now, not while somebody is measured.
      await connection.query('SET GLOBAL innodb_max_dirty_pages_pct = 0');
      while (performance.now() - waited < PATIENCE_MS && (await busy(connection))) await sleep(100);
      await connection.query('SET GLOBAL innodb_max_dirty_pages_pct = DEFAULT');
    },
    limitMemory,
    async countAfter(lastId) {
      return Number(await read(connection, `SELECT COUNT(*) AS value FROM pets WHERE id > ${lastId}`));
    },
    async stop() {
      await connection.end();
      await server.stop();
    },
  };
}

async function read(connection: Connection, statement: string): Promise<string> {
  const [[row]] = await connection.query<RowDataPacket[]>(statement);
  return String(row?.['value'] ?? row?.['Value']);
}

async function busy(connection: Connection): Promise<boolean> {
  for (const name of ['Innodb_history_list_length', 'Innodb_buffer_pool_pages_dirty']) {
    if (Number(await read(connection, `SHOW GLOBAL STATUS LIKE '${name}'`)) > QUIET) return true;
  }
  return false;
}
