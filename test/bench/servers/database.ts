import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { PLACES } from '../command/places.js';

/** Where the pets are. */
export interface BenchDatabase {
  readonly url: string;
  readonly version: string;
  /** Takes back what was added after this pet, and waits for quiet, so that every server finds the same table. */
  resetTo(lastId: number): Promise<void>;
  /** Gives the engine so many MiB in which it keeps pages of tables. Absent: the engine has no such setting. */
  limitMemory?(mib: number): Promise<void>;
  /** How many pets there are after this one. */
  countAfter(lastId: number): Promise<number>;
  stop(): Promise<void>;
}

/** A key that both the service and the peers admit. */
export interface BenchKey {
  readonly secret: string;
  readonly sha256: string;
}

/** Brings the service's own schema into an empty database, with pets and a key issued like any other. */
export async function fill({ url }: BenchDatabase, animals: number, signal: AbortSignal): Promise<BenchKey> {
  await petstore(['db', 'migrate'], url, signal);
  const loader = spawn(process.execPath, [PLACES.loader, '--database', url, '--count', String(animals)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    signal,
  });
  const [code] = (await once(loader, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The animals could not be loaded.');
  const { secret } = JSON.parse(
    await petstore(['keys', 'issue', '--name', 'bench', '--json'], url, signal),
  ) as {
    secret: string;
  };
  return { secret, sha256: createHash('sha256').update(secret).digest('hex') };
}

async function petstore(args: string[], url: string, signal: AbortSignal): Promise<string> {
  const { PATH = '' } = process.env;
  const env = { PATH, NODE_ENV: 'production', LOG_LEVEL: 'warn', DATABASE_URL: url };
  return (await promisify(execFile)(process.execPath, [PLACES.cli, ...args], { env, signal })).stdout;
}
