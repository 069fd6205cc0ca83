import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { GaleraCluster } from '../../support/databases/galera-cluster.js';
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

/** One MariaDB, or a cluster of nodes with the same data. */
export interface MariaDbDatabase extends BenchDatabase {
  /** Process id of each node. */
  readonly pids: readonly number[];
  /** URL of the same database for a client that prefers the given node, counted from 0. */
  urlAt(node: number): string;
  /** Value of a status counter on each node, such as `wsrep_local_cert_failures`. */
  counters(name: string): Promise<number[]>;
  /** Waits until all nodes have finished earlier work, including flushing to disk. */
  settle(): Promise<void>;
}

/** Starts a private MariaDB with durable commits. */
export async function startMariaDb(bufferPoolMiB = BUFFER_POOL_MIB): Promise<MariaDbDatabase> {
  if (!MariaDbServer.isInstalled())
    throw new Error('MariaDB is not installed: apt-get install mariadb-server');
  const server = await MariaDbServer.start();
  const urlAt = () => server.url('petstore');
  return open({ nodes: [server], ports: [server.port], urlAt, stop: () => server.stop() }, bufferPoolMiB);
}

/** Starts a private Galera cluster of three nodes on this machine, with durable commits. */
export async function startGalera(bufferPoolMiB = BUFFER_POOL_MIB): Promise<MariaDbDatabase> {
  if (!GaleraCluster.isInstalled())
    throw new Error('Galera is not installed: apt-get install mariadb-server galera-4 rsync');
  const cluster = await GaleraCluster.start();
  const { nodes } = cluster;
  const ports = nodes.map((node) => node.ports.sql);
  const urlAt = (node: number) => cluster.url('petstore', node);
  return open({ nodes, ports, urlAt, stop: () => cluster.stop() }, bufferPoolMiB);
}

interface Started extends Pick<MariaDbDatabase, 'urlAt' | 'stop'> {
  readonly nodes: readonly { readonly pid: number }[];
  readonly ports: readonly number[];
}

async function open({ nodes, ports, urlAt, stop }: Started, bufferPoolMiB: number): Promise<MariaDbDatabase> {
  const connections: Connection[] = [];
  for (const port of ports) {
    const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' });
    connections.push(connection);
    if ((await read(connection, 'SELECT @@innodb_flush_log_at_trx_commit AS value')) !== '1')
      throw new Error('The commits of this MariaDB are not durable.');
  }
  const first = connections[0]!;
  const limitMemory = async (mib: number) => {
    for (const connection of connections) await resizeBufferPool(connection, mib);
  };
  await limitMemory(bufferPoolMiB);
  await first.query('CREATE DATABASE petstore CHARACTER SET utf8mb4');
  // A node responds to a read only after it has caught up with the others.
  if (ports.length > 1)
    for (const connection of connections) await connection.query('SET SESSION wsrep_sync_wait = 1');
  const version = await read(first, 'SELECT VERSION() AS value');
  const settle = async () => {
    for (const connection of connections) await writtenOut(connection);
  };
  return {
    // Names one node only: the loader does not support cluster URLs.
    url: `mysql://root:@127.0.0.1:${ports[0]}/petstore`,
    version: `MariaDB ${version}`,
    pids: nodes.map(({ pid }) => pid),
    urlAt,
    settle,
    async counters(name) {
      return Promise.all(connections.map((connection) => readStatus(connection, name)));
    },
    async resetTo(lastId) {
      const statement = 'DELETE FROM petstore.pets WHERE id > ? LIMIT ?';
      for (let gone = MAX_AT_ONCE; gone === MAX_AT_ONCE;) {
        const [result] = await first.query<ResultSetHeader>(statement, [lastId, MAX_AT_ONCE]);
        gone = result.affectedRows;
      }
      await first.query(`UPDATE petstore.sequences SET next_id = ? WHERE name = 'pets'`, [lastId + 1]);
      // Without it the optimizer plans with whatever statistics the server collected last.
      await first.query('ANALYZE TABLE petstore.pets');
      await settle();
    },
    limitMemory,
    async countAfter(lastId) {
      return Number(await read(first, `SELECT COUNT(*) AS value FROM petstore.pets WHERE id > ${lastId}`));
    },
    async stop() {
      for (const connection of connections) await connection.end();
      await stop();
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

/** @returns 0 for a counter that this server does not have */
const readStatus = async (connection: Connection, name: string): Promise<number> =>
  Number(await read(connection, `SHOW GLOBAL STATUS LIKE '${name}'`)) || 0;

async function busy(connection: Connection): Promise<boolean> {
  for (const name of ['Innodb_history_list_length', 'Innodb_buffer_pool_pages_dirty']) {
    if ((await readStatus(connection, name)) > QUIET) return true;
  }
  return false;
}
