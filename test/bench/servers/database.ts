import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { PLACES } from '../command/places.js';

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
