import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LEVER_NAMES, without, withModules } from '../bench/servers/levers.js';
import { build, startBuilt } from '../support/built-service.js';

const SECRET = 'bootstrap-key-for-the-test-of-levers';
const BENCH = resolve(import.meta.dirname, '../bench');

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-levers-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

it.each([
  ...LEVER_NAMES.map((lever) => [`takes ${lever} away`, without([lever], BENCH)] as const),
  ['adds the modules of others', withModules(200, BENCH)] as const,
])('The service answers as always when the benchmark %s', async (what, { nodeArgs, environment }) => {
  const url = `sqlite:${join(folder, `${what}.db`)}`;
  const service = startBuilt(
    {
      ...environment,
      NODE_OPTIONS: nodeArgs.join(' '),
      DATABASE_URL: url,
      MIGRATE_ON_START: 'true',
      BOOTSTRAP_API_KEY: SECRET,
      // A request must leave the in-flight count once it has its response; otherwise the next one is refused.
      MAX_IN_FLIGHT: '3',
    },
    folder,
  );
  try {
    const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
    const send = (path: string, body?: object) =>
      fetch(`${origin}/v1/pets${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const added = await send('', { name: 'Rex "the\u00a0first"', categoryId: 7 });
    expect([added.status, added.headers.get('X-Frame-Options')]).toEqual([201, 'DENY']);
    const animal = (await added.json()) as { id: number };
    expect(animal).toMatchObject({ name: 'Rex "the\u00a0first"', categoryId: 7, status: 'available' });
    const [got, listed] = await Promise.all([send(`/${animal.id}`), send('?status=available&limit=5')]);
    expect([got.status, await got.json()]).toEqual([200, animal]);
    expect([listed.status, await listed.json()]).toEqual([200, [animal]]);
    const refused = await send('', { name: 7 });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      400,
      'validation_failed',
    ]);
  } finally {
    await service.stop();
  }
});
