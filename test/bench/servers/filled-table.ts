import { mkdir } from 'node:fs/promises';
import { Traffic } from '../traffic/traffic.js';
import { type BenchDatabase, type BenchKey, fill } from './database.js';
import { startMariaDb } from './mariadb-database.js';
import type { Engine } from './servers.js';
import { sqliteIn } from './sqlite-database.js';

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
