import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { mariaDb, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import type { Program } from '../../support/program.js';

const SECRET = 'bootstrap-key-for-the-test-of-one-port';
const canShare = Number.parseInt(process.versions.node, 10) >= 24;

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-reuse-port-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The tests share two services from their start to their end, and depend on their order. */
const ofTwoProcesses = () => {
  let database: TestDatabase;
  let port: string;
  const processes: Program[] = [];
  const start = async (PORT: string) => {
    const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true', REUSE_PORT: 'true', PORT };
    const service = startBundled({ ...environment, BOOTSTRAP_API_KEY: SECRET }, folder);
    processes.push(service);
    return (await service.printed(/Pet Store +http:\S+:(\d+)\/v1\n/))[1]!;
  };
  beforeAll(async () => {
    database = await mariaDb.create();
    port = await start('0');
    await start(port);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop('SIGKILL')));
    await database.drop();
  });

  /** On a connection of its own: the kernel gives each to one of the processes. */
  const send = async (path: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as { id: number } };
  };
  const listed = (one: Program) => one.output.match(/"pid":\d+[^\n]*"msg":"GET listPets 200"/g)?.length ?? 0;

  it('both answer, with the process id in each line of the log', async () => {
    await eventually(async () => {
      expect((await send('/v1/pets')).status).toBe(200);
      return processes.every((one) => listed(one) > 0);
    });
    for (const one of processes) expect(one.output).toContain(`"pid":${one.pid},`);
  });

  it('give each animal an id of its own, and show at once what the other has added', async () => {
    const ids: number[] = [];
    const client = async () => {
      for (let i = 0; i < 25; i++) {
        const { status, json } = await send('/v1/pets', { name: 'Rex', categoryId: i });
        expect([status, (await send(`/v1/pets/${json.id}`)).status]).toEqual([201, 200]);
        ids.push(json.id);
      }
    };
    await Promise.all([client(), client()]);
    expect(new Set(ids).size).toBe(50);
  });

  it('go on when one of them ends', async () => {
    const [first] = processes;
    expect((await first!.stop()).code).toBe(0);
    expect((await send('/v1/pets')).status).toBe(200);
  });
};

const refusal = async () => {
  const environment = { DATABASE_URL: 'mysql://shop:sesame@127.0.0.1:1/pets', REUSE_PORT: 'true' };
  const { code, stdout, stderr } = await startBundled(environment, folder).end();
  const version = process.versions.node;
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    `REUSE_PORT: needs Node.js 24, and this is ${version}; give each process a PORT of its own, behind a proxy\n`,
  ]);
};

// A Node.js can either share or refuse; .ci/run tries one of each.
if (canShare)
  describe.skipIf(!mariaDb.installed)('two processes with REUSE_PORT', { shuffle: false }, ofTwoProcesses);
else it('REUSE_PORT is refused on a Node.js that is too old for it', refusal);

it('REUSE_PORT is refused with SQLite', async () => {
  const { code, stderr } = await startBundled({ REUSE_PORT: 'true' }, folder).end();
  const line = 'REUSE_PORT: not with SQLite, whose file belongs to one process; take MySQL';
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([1, line]);
});
