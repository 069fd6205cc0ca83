import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { PLACES } from '../command/places.js';
import { Traffic } from '../traffic/traffic.js';
import { startMariaDb } from './mariadb-database.js';
import type { Engine } from './servers.js';

/** The database that holds the pets. */
export interface BenchDatabase {
  readonly url: string;
  readonly version: string;
  /** Deletes pets added after this id, and waits until the database is idle, so that every server finds the same table. */
  resetTo(lastId: number): Promise<void>;
  /** Sets the engine's cache for table pages, in MiB. Absent: the engine has no such setting. */
  limitMemory?(mib: number): Promise<void>;
  /** Number of pets with a larger id. */
  countAfter(lastId: number): Promise<number>;
  stop(): Promise<void>;
}

/** A key that the service and the peers accept. */
export interface BenchKey {
  readonly secret: string;
  readonly sha256: string;
}

/** Creates the service's schema in an empty database, loads pets and issues a key in the normal way, by the commands of `cli`. */
export async function fill(
  { url }: BenchDatabase,
  animals: number,
  signal: AbortSignal,
  cli = PLACES.cli,
): Promise<BenchKey> {
  const petstore = async (...args: string[]): Promise<string> => {
    const { PATH = '' } = process.env;
    const env = { PATH, NODE_ENV: 'production', LOG_LEVEL: 'warn', DATABASE_URL: url };
    return (await promisify(execFile)(process.execPath, [cli, ...args], { env, signal })).stdout;
  };
  await petstore('db', 'migrate');
  const loader = spawn(process.execPath, [PLACES.loader, '--database', url, '--count', String(animals)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
  });
  const [code] = (await once(loader, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The animals could not be loaded.');
  const { secret } = JSON.parse(await petstore('keys', 'issue', '--name', 'bench', '--json')) as {
    secret: string;
  };
  return { secret, sha256: createHash('sha256').update(secret).digest('hex') };
}

/** A separate database with this many animals, a key, and requests that match them. */
export interface FilledTable {
  readonly database: BenchDatabase;
  readonly key: BenchKey;
  readonly animals: number;
  readonly traffic: Traffic;
}

interface Size {
  readonly engine: Engine;
  readonly animals: number;
  readonly bufferPool?: number;
  /** The commands of the version that makes it; absent: this one. */
  readonly cli?: string | undefined;
}

/** @param folder is created; holds the database file, if there is one */
export async function fillTable(
  folder: string,
  { engine, animals, bufferPool, cli }: Size,
  signal: AbortSignal,
): Promise<FilledTable> {
  await mkdir(folder);
  const database = engine === 'mariadb' ? await startMariaDb(bufferPool) : sqliteIn(folder);
  try {
    const key = await fill(database, animals, signal, cli);
    await database.resetTo(animals);
    return { database, key, animals, traffic: await Traffic.over(animals, folder) };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** The service creates the file itself when it migrates. */
export function sqliteIn(folder: string): BenchDatabase {
  const file = join(folder, 'petstore.db');
  const version = new Database(':memory:').prepare<[], string>('SELECT sqlite_version()').pluck().get();
  return {
    url: `sqlite:${file}`,
    version: `SQLite ${version}`,
    async resetTo(lastId) {
      const database = new Database(file);
      database.prepare('DELETE FROM pets WHERE id > ?').run(lastId);
      database.prepare(`UPDATE sequences SET next_id = ? WHERE name = 'pets'`).run(lastId + 1);
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    },
    async countAfter(lastId) {
      const database = new Database(file, { readonly: true });
      const count = database
        .prepare<[number], number>('SELECT COUNT(*) FROM pets WHERE id > ?')
        .pluck()
        .get(lastId);
      database.close();
      return count ?? 0;
    },
    async stop() {},
  };
}
