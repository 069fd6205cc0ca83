import { setTimeout as sleep } from 'node:timers/promises';
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
  const read = async (...statements: string[]): Promise<string> => {
    const [row] = await server.query(...statements);
    return String(row?.['value'] ?? row?.['Value']);
  };
  const statusOf = async (name: string) => Number(await read(`SHOW GLOBAL STATUS LIKE '${name}'`));

  /** The server responds at once and then resizes asynchronously, in chunks. */
  const limitMemory = async (mib: number) => {
    await server.query(`SET GLOBAL innodb_buffer_pool_size = ${mib * 2 ** 20}`);
    const wanted = Math.ceil(mib / CHUNK_MIB) * CHUNK_MIB;
    const present = async () => (await statusOf('Innodb_buffer_pool_pages_total')) * PAGE_MIB;
    while (Math.abs((await present()) / wanted - 1) > 0.05) await sleep(100);
  };

  const isBusy = async () =>
    (await statusOf('Innodb_history_list_length')) > QUIET ||
    (await statusOf('Innodb_buffer_pool_pages_dirty')) > QUIET;
  /** Flushes pending writes to disk now, instead of during a measurement. */
  const writeOut = async () => {
    const begin = performance.now();
    await server.query('SET GLOBAL innodb_max_dirty_pages_pct = 0');
    while (performance.now() - begin < MAX_WAIT_MS && (await isBusy())) await sleep(100);
    await server.query('SET GLOBAL innodb_max_dirty_pages_pct = DEFAULT');
  };

  if ((await read('SELECT @@innodb_flush_log_at_trx_commit AS value')) !== '1')
    throw new Error('The commits of this MariaDB are not durable.');
  await limitMemory(bufferPoolMiB);
  await server.query('CREATE DATABASE petstore CHARACTER SET utf8mb4');
  return {
    url: server.url('petstore'),
    version: `MariaDB ${await read('SELECT VERSION() AS value')}`,
    async resetTo(lastId) {
      const some = `DELETE FROM petstore.pets WHERE id > ${lastId} LIMIT ${MAX_AT_ONCE}`;
      while (Number(await read(some, 'SELECT ROW_COUNT() AS value')) === MAX_AT_ONCE);
      await server.query(
        `UPDATE petstore.sequences SET next_id = ${lastId + 1} WHERE name = 'pets'`,
        // Without it the optimizer plans with whatever statistics the server collected last.
        'ANALYZE TABLE petstore.pets',
      );
      await writeOut();
    },
    limitMemory,
    countAfter: async (id) =>
      Number(await read(`SELECT COUNT(*) AS value FROM petstore.pets WHERE id > ${id}`)),
    stop: () => server.stop(),
  };
}
