import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { mariaDb, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import type { Program } from '../../support/program.js';

const SECRET = 'bootstrap-key-for-the-test-of-workers';

// The tests share one service from its start to its end, and depend on their order.
describe.skipIf(!mariaDb.installed)('a service of two processes', { shuffle: false }, () => {
  let folder: string;
  let database: TestDatabase;
  let service: Program;
  let origin: string;
  beforeAll(async () => {
    build();
    folder = await mkdtemp(join(tmpdir(), 'petstore-workers-'));
    database = await mariaDb.create();
    const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true', WORKERS: '2' };
    service = startBundled({ ...environment, BOOTSTRAP_API_KEY: SECRET }, folder);
    origin = (await service.printed(/Pet Store +(http:\S+)\/v1\n/))[1]!;
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** Each request has a connection of its own, so that the requests are spread over the processes. */
  const send = async (path: string, body?: object) => {
    const answer = await fetch(`${origin}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as { id: number }[] & { id: number } };
  };
  /** The processes that have started to serve so far. */
  const started = () =>
    [...service.output.matchAll(/"pid":(\d+)[^\n]*Listening on/g)].map(([, pid]) => Number(pid));

  it('gives each pet an id of its own, and shows at once what the other process has added', async () => {
    await eventually(async () => expect(started()).toHaveLength(2));
    const ids: number[] = [];
    const client = async () => {
      for (let i = 0; i < 25; i++) {
        const added = await send('/v1/pets', { name: 'Rex', categoryId: i });
        expect(added.status).toBe(201);
        ids.push(added.json.id);
        expect((await send(`/v1/pets/${added.json.id}`)).status).toBe(200);
        expect((await send('/v1/pets?limit=100')).json.map(({ id }) => id)).toContain(added.json.id);
      }
    };
    await Promise.all([client(), client(), client(), client()]);
    expect(new Set(ids).size).toBe(100);
  });

  it('goes on when one of them dies, and another takes its place', async () => {
    const [victim] = started();
    process.kill(victim!, 'SIGKILL');
    await eventually(async () => expect(started()).toHaveLength(3));
    expect(service.output).toContain(`Process ${victim} ended (SIGKILL); another takes its place`);
    await eventually(async () => (await send('/readyz')).status === 200);
    expect((await send('/v1/pets')).status).toBe(200);
  });

  it('ends as a whole when it is told to', async () => {
    const { code } = await service.stop();
    expect(code).toBe(0);
    for (const pid of started()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('ends when its processes cannot begin', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;
    const environment = { DATABASE_URL: database.url, WORKERS: '2', PORT: String(port) };
    const { code, stderr } = await startBundled(environment, folder).end();
    occupant.close();
    // Each process fails with it, but it is printed once and without a process id.
    expect([code, stderr.split('\n').filter((line) => line && !line.startsWith('{"level":30,'))]).toEqual([
      1,
      [`127.0.0.1:${port} is in use. Stop the program that uses it, or set PORT.`],
    ]);
  });

  it('ends when its database does not let it in, though its port is open by then', async () => {
    const url = database.url.replace(/\/\/[^@]*@/, '//nobody:wrong@');
    const { code, stderr } = await startBundled({ DATABASE_URL: url, WORKERS: '2' }, folder).end();
    expect([code, stderr.match(/cannot be used/g)]).toEqual([1, ['cannot be used']]);
  });

  it('says what keeps it from starting, once', async () => {
    const url = database.url.replace(/[^/]+$/, 'nowhere');
    const { code, stderr } = await startBundled({ DATABASE_URL: url, WORKERS: '2' }, folder).end();
    expect([code, stderr.match(/cannot be used: .*Unknown database 'nowhere'/g)?.length]).toEqual([1, 1]);
  });

  it('is not possible on SQLite', async () => {
    const { code, output } = await startBundled({ WORKERS: '2' }, folder).end();
    expect([code, output]).toEqual([1, expect.stringContaining('WORKERS: must be 1 with SQLite')]);
  });
});
