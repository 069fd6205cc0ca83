import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Program } from '../../support/program.js';
import { PLACES } from '../command/places.js';
import { Traffic } from '../traffic/traffic.js';
import { startMariaDb } from './mariadb-database.js';
import type { Engine } from './servers.js';

export interface BenchDatabase {
  readonly url: string;
  readonly version: string;
  /** Deletes pets added after this id, and waits until the database is idle, so that every server finds the same table. */
  resetTo(lastId: number): Promise<void>;
  /** Sets the engine's cache for table pages, in MiB. Absent: the engine has no such setting. */
  limitMemory?(mib: number): Promise<void>;
  countAfter(lastId: number): Promise<number>;
  stop(): Promise<void>;
}

/** A key that the service and the peers accept. */
export interface BenchKey {
  readonly secret: string;
  readonly sha256: string;
}

/** Creates the service's schema in an empty database, loads pets and issues a key in the normal way, by the commands of `cli`. */
async function fill({ url }: BenchDatabase, animals: number, cli = PLACES.cli): Promise<BenchKey> {
  await runScript(url, cli, 'db', 'migrate');
  await runScript(url, PLACES.loader, '--database', url, '--count', String(animals));
  const issued = await runScript(url, cli, 'keys', 'issue', '--name', 'bench', '--json');
  const { secret } = JSON.parse(issued) as { secret: string };
  return { secret, sha256: createHash('sha256').update(secret).digest('hex') };
}

/** Runs a script of Node on a database. @returns what it printed */
export async function runScript(DATABASE_URL: string, script: string, ...args: string[]): Promise<string> {
  const environment = { NODE_ENV: 'production', LOG_LEVEL: 'warn', DATABASE_URL };
  const { code, stdout, output } = await Program.start(script, args, environment).end();
  if (code !== 0) throw new Error(output);
  return stdout;
}

/** A separate database with this many pets, a key, and requests that match them. */
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
): Promise<FilledTable> {
  await mkdir(folder);
  const database = engine === 'mariadb' ? await startMariaDb(bufferPool) : sqliteIn(folder);
  try {
    const key = await fill(database, animals, cli);
    await database.resetTo(animals);
    return { database, key, animals, traffic: await Traffic.over(animals, folder) };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** The service creates the file itself when it migrates. */
function sqliteIn(folder: string): BenchDatabase {
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
