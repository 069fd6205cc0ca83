import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCENARIO_NAMES } from '../bench/traffic/scenarios.js';
import { canServe, ENGINES, SERVER_NAMES } from '../bench/servers/servers.js';
import { build } from '../support/built-service.js';

const BENCH = resolve(import.meta.dirname, '../bench');
const TSC = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
const PETS = 1_000;

/** Loads the compiled benchmark, because it starts its servers from the build folder. */
async function load() {
  const from = (file: string) => import(join(BENCH, 'dist/bench', file)) as Promise<unknown>;
  return {
    ...((await from('servers/agreement.js')) as typeof import('../bench/servers/agreement.js')),
    ...((await from('servers/database.js')) as typeof import('../bench/servers/database.js')),
    ...((await from('servers/mariadb-database.js')) as typeof import('../bench/servers/mariadb-database.js')),
    ...((await from('servers/sqlite-database.js')) as typeof import('../bench/servers/sqlite-database.js')),
    ...((await from('traffic/traffic.js')) as typeof import('../bench/traffic/traffic.js')),
    ...((await from('servers/with-server.js')) as typeof import('../bench/servers/with-server.js')),
  };
}

let folder: string;
beforeAll(async () => {
  build();
  execFileSync(process.execPath, [TSC, '-p', BENCH]);
  folder = await mkdtemp(join(tmpdir(), 'petstore-peers-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

// Eleven servers in sequence.
it.each(ENGINES)(
  'All servers of the benchmark answer and refuse alike on %s',
  async (engine) => {
    const { Agreement, fill, sqliteIn, startMariaDb, Traffic, withServer } = await load();
    const database = engine === 'mariadb' ? await startMariaDb() : sqliteIn(folder);
    try {
      const { signal } = new AbortController();
      const key = await fill(database, PETS, signal);
      const traffic = await Traffic.over(PETS, folder);
      const options = { scenarios: SCENARIO_NAMES, animals: PETS, env: {}, without: [] };
      const bench = { options, database, key, traffic, agreement: new Agreement(), signal };
      const names = SERVER_NAMES.filter((name) => canServe(name, engine));
      for (const name of names) await withServer(name, bench, async () => undefined);
      expect(await database.countAfter(PETS)).toBe(0);
    } finally {
      await database.stop();
    }
  },
  180_000,
);
