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
  const from = (file: string) => import(join(BENCH, 'dist/bench/servers', file)) as Promise<unknown>;
  return {
    ...((await from('database.js')) as typeof import('../bench/servers/database.js')),
    ...((await from('with-server.js')) as typeof import('../bench/servers/with-server.js')),
  };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-peers-'));
  build();
  execFileSync(process.execPath, [TSC, '-p', BENCH]);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

// Nine servers in sequence.
it.each(ENGINES)(
  'All servers of the benchmark return the same responses and errors on %s',
  async (engine) => {
    const { Agreement, fillTable, withServer } = await load();
    const { signal } = new AbortController();
    const table = await fillTable(join(folder, engine), { engine, animals: PETS });
    try {
      const options = { scenarios: SCENARIO_NAMES, animals: PETS, env: {} };
      const bench = { ...table, options, agreement: new Agreement(), signal };
      const names = SERVER_NAMES.filter((name) => canServe(name, engine));
      for (const name of names) await withServer(name, bench, async () => undefined);
      expect(await table.database.countAfter(PETS)).toBe(0);
    } finally {
      await table.database.stop();
    }
  },
  600_000,
);
