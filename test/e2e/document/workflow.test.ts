import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../../support/api-client.js';
import { startBundled } from '../../support/built-service.js';
import { freePort } from '../../support/processes/local-program.js';

const SECRET = 'bootstrap-key-for-the-test-of-workflows';
const REDOCLY = join(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

describe('the workflows of /docs/petstore.arazzo.yaml', () => {
  let folder: string;
  let service: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-workflows-'));
    service = await start();
  });
  afterAll(async () => {
    await service.program.stop();
    await rm(folder, { recursive: true });
  });

  /** Starts a service, and saves its workflows alone. */
  const start = async (environment: Record<string, string> = {}) => {
    const own = {
      PORT: String(await freePort()),
      DATABASE_URL: 'sqlite::memory:',
      BOOTSTRAP_API_KEY: SECRET,
    };
    const program = startBundled({ ...own, ...environment }, folder);
    const [, origin] = await program.printed(/Pet Store +(http:\S+)\/v1\n/);
    const stranger = await ApiClient.of(origin!);
    const { port } = new URL(origin!);
    await writeFile(join(folder, `${port}.yaml`), (await stranger.get('/docs/petstore.arazzo.yaml')).text);
    const client = stranger.with({ Authorization: `Bearer ${SECRET}` });
    return { program, client, saved: join(folder, `${port}.yaml`) };
  };

  /** Runs all workflows of a file, or one of them. @returns what the program prints */
  const respect = async (file: string, ...more: readonly string[]) => {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [REDOCLY, 'respect', file, '-i', `apiKey=${SECRET}`, ...more],
      { env: { ...process.env, ...QUIET } },
    ).catch((failure: { stdout: string; stderr: string }) => failure);
    return stdout + stderr;
  };

  it('run when the file is saved alone, and a run with the same text creates nothing', async () => {
    const { client, saved } = service;
    for (const run of ['first', 'second']) {
      const printed = await respect(saved, '-i', 'run=1');
      expect(printed, run).toContain('Workflows: 3 passed, 3 total');
      expect(printed, run).toContain('Steps: 12 passed, 12 total');
    }
    const pets = await client.get('/v1/pets');
    expect(pets.json).toMatchObject([{ status: 'available' }, { status: 'sold' }]);
    const orders = await client.get('/v1/store/orders');
    expect(orders.json).toMatchObject([{ status: 'cancelled' }, { status: 'delivered' }]);
  });

  it('include one that only reads', async () => {
    const { client, saved } = service;
    const before = await client.get('/v1/pets');
    expect(await respect(saved, '-w', 'look')).toContain('Workflows: 1 passed, 1 total');
    expect((await client.get('/v1/pets')).json).toEqual(before.json);
  });

  it('wait and go on when the service sends 429', async () => {
    const { program, saved } = await start({ RATE_LIMIT: '2/s' });
    const printed = await respect(saved, '-i', 'run=1');
    expect(printed).toContain('Retrying step');
    expect(printed).toContain('Workflows: 3 passed, 3 total');
    await program.stop();
  });
});
