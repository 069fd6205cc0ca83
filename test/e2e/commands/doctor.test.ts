import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawnPetstore } from '../../support/built-service.js';
import { examine } from '../../support/doctor.js';
import { existing, sqlite, type TestDatabase } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';
import { readText } from '../../support/read-text.js';
import { Recorder } from '../../support/site/recorder.js';
import { startService } from '../../support/service.js';

describe('the doctor', () => {
  let database: TestDatabase;
  let environment: Record<string, string>;
  beforeEach(async () => {
    database = await sqlite.create();
    environment = { DATABASE_URL: database.url };
    await run('db', 'migrate');
  });
  afterEach(() => database.drop());
  const run = (...args: string[]) => petstore(args, environment);

  it('finds no problem with a good configuration, and leaves nothing behind', async () => {
    const sequences = () => database.query('SELECT * FROM sequences ORDER BY name');
    const before = await sequences();
    const { code, found } = await examine(environment);
    expect([code, found.map(({ check, state }) => `${state} ${check}`)]).toEqual([
      0,
      ['ok settings', 'ok database', 'ok migrations', 'ok leases', 'ok writes', 'ok port'],
    ]);
    expect(await sequences()).toEqual(before);
    const [, table] = /^### Doctor$([^]*?)^### /m.exec(readText('docs/operations.md'))!;
    const described = [...table!.matchAll(/^\| `(\w+)`/gm)].map(([, check]) => check!);
    // The check of Redis needs a REDIS_URL.
    expect([...found.map(({ check }) => check), 'redis'].toSorted()).toEqual(described.toSorted());
    const { output } = await run('doctor');
    expect(output).toMatch(
      /^ok {7}settings: The settings are valid\.\nok {7}database: SQLite \S+ answers\.\n/,
    );
  });

  it('reports whether another program or a service uses the port', async () => {
    const server = createServer((_, response) => response.end('somebody else')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, wrong } = await examine({ ...environment, PORT: String(port) });
    server.close();
    expect([code, wrong]).toEqual([
      1,
      [`port: 127.0.0.1:${port} is in use by another program. Stop that program, or set PORT.`],
    ]);
    const service = await startService(existing(database));
    const { found } = await examine({ ...environment, PORT: String(service.port) });
    await service.stop();
    const what = `A service answers at 127.0.0.1:${service.port}.`;
    expect(found).toContainEqual({ check: 'port', state: 'ok', what });
  });

  it('reports that a write is rejected, and the reason', async () => {
    await database.execute('DROP TABLE sequences');
    const { code, wrong } = await examine(environment);
    expect([code, wrong]).toEqual([
      1,
      [expect.stringMatching(/^writes: The database rejects a write: .*no such table.* restore a backup/)],
    ]);
  });

  it('reports a job whose latest run failed', async () => {
    const insert =
      "INSERT INTO leases (name, held_until, problem, ended_at) VALUES ('purge', 0, 'no room', 1)";
    await database.execute(insert);
    const { code, wrong } = await examine(environment);
    const failed = 'leases: "purge" failed at 1970-01-01T00:00:00.001Z: no room.';
    expect([code, wrong]).toEqual([0, [`${failed} See the log of the context "Leases".`]]);
  });

  it('finds what the start logs', async () => {
    await database.execute(
      "INSERT INTO leases (name, held_until, problem, ended_at) VALUES ('purge', 0, 'no room', 1)",
    );
    const faulty = { ...environment, PORT: '0', REDIS_URL: 'redis://127.0.0.1:1' };
    const { wrong } = await examine(faulty);
    expect(wrong).toEqual([
      expect.stringMatching(/^leases: "purge" failed/),
      expect.stringMatching(
        /^redis: Redis does not count \(connect ECONNREFUSED .*\).* responds within 50 ms, /,
      ),
    ]);
    const log = new Recorder();
    const service = await startService(existing(database), { log, environment: faulty });
    await service.stop();
    const lines = log.text.split('\n').filter((line) => line.includes('"level":40,'));
    const told = lines.map((line) => JSON.parse(line) as { context: string; msg: string });
    expect(told.filter(({ context }) => context === 'Start').map(({ msg }) => msg)).toEqual(
      wrong.map((line) => line.replace(/^\w+: /, '')),
    );
  });
});

it('the doctor names each invalid line of .env with the other mistakes, and does not create a SQLite file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-doctor-'));
  const file = join(folder, '.env');
  const doctor = (more = {}) =>
    spawnPetstore(['doctor'], { DATABASE_URL: 'sqlite:./petstore.db', ...more }, folder).end();
  await writeFile(file, 'LOG_LEVEL=loud\nnonsense here\n');
  const mistaken = await doctor({ WORKERS: '4' });
  expect(mistaken.code).toBe(1);
  expect(mistaken.stdout).toMatch(
    /^problem {2}settings: \.env: line 2 .*\nproblem {2}settings: WORKERS: was removed.*\nproblem {2}settings: LOG_LEVEL: .*\n$/,
  );
  await writeFile(file, 'LOG_LEVEL=silent\n');
  const { code, stdout } = await doctor();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^problem {2}database: The file .*petstore\.db does not exist\. Check DATABASE_URL\. .*\n/m,
  );
  expect(await readdir(folder)).toEqual(['.env']);
  await rm(folder, { recursive: true });
});
