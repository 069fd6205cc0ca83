import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { build, spawnPetstore } from '../../support/built-service.js';
import { examine } from '../../support/doctor.js';
import { existing, onOneEngine, sqlite, type TestDatabase } from '../../support/engines.js';
import { freePort } from '../../support/processes/local-program.js';
import { petstore } from '../../support/petstore.js';
import { startService } from '../../support/service.js';

describe('the doctor', () =>
  onOneEngine((engine) => {
    let database: TestDatabase;
    let environment: Record<string, string>;
    beforeEach(async () => {
      database = await engine.create();
      environment = { DATABASE_URL: database.url };
      await run('db', 'migrate');
    });
    afterEach(() => database.drop());
    const run = (...args: string[]) => petstore(args, environment);

    it('finds nothing wrong where nothing is, and leaves nothing behind', async () => {
      const sequences = () => database.query('SELECT * FROM sequences ORDER BY name');
      const before = await sequences();
      const { code, found } = await examine(environment);
      expect([code, found.map(({ check, state }) => `${state} ${check}`)]).toEqual([
        0,
        ['ok settings', 'ok database', 'ok migrations', 'ok leases', 'ok writes', 'ok port'],
      ]);
      expect(await sequences()).toEqual(before);
      const { output } = await run('doctor');
      expect(output).toMatch(
        /^ok {7}settings: The settings are valid\.\nok {7}database: SQLite \S+ answers\.\n/,
      );
    });

    it('finds out who is at the port', async () => {
      const server = createServer((_, response) => response.end('somebody else')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { code, wrong } = await examine({ ...environment, PORT: String(port) });
      server.close();
      expect([code, wrong]).toEqual([
        1,
        [`port: 127.0.0.1:${port} is in use by something else. Stop it, or set PORT.`],
      ]);
      const service = await startService(existing(database));
      const { found } = await examine({ ...environment, PORT: String(service.port) });
      await service.stop();
      const what = `A service answers at 127.0.0.1:${service.port}.`;
      expect(found).toContainEqual({ check: 'port', state: 'ok', what });
    });

    it('says which migrations are missing, and applies none', async () => {
      const [, reverted] = /^reverted (\w+)/.exec((await run('db', 'revert', '--yes')).stdout) ?? [];
      for (const _ of [1, 2]) {
        const { code, wrong } = await examine(environment);
        expect([code, wrong]).toEqual([
          1,
          [
            expect.stringMatching(
              new RegExp(
                `^migrations: Migrations are missing: ${reverted}\\. petstore db migrate.* applies them\\.$`,
              ),
            ),
          ],
        ]);
      }
    });

    it('says that a write is refused, and why', async () => {
      await database.execute('DROP TABLE sequences');
      const { code, wrong } = await examine(environment);
      expect([code, wrong]).toEqual([
        1,
        [expect.stringMatching(/^writes: The database refuses a write: .*no such table.* restore a backup/)],
      ]);
    });

    it('tells of a job that failed the last time', async () => {
      const insert =
        "INSERT INTO leases (name, held_until, problem, ended_at) VALUES ('purge', 0, 'no room', 1)";
      await database.execute(insert);
      const { code, wrong } = await examine(environment);
      const failed = 'leases: "purge" failed at 1970-01-01T00:00:00.001Z: no room.';
      expect([code, wrong]).toEqual([0, [`${failed} See the log of the context "Leases".`]]);
    });

    it('names each mistake in the settings, also those of an earlier version, before an upgrade', async () => {
      const mistakes = { PORT: 'http', RATE_LIMIT: '5', WORKERS: '4' };
      const { code, wrong } = await examine({ ...environment, ...mistakes });
      expect([code, wrong]).toEqual([
        1,
        [
          expect.stringMatching(/^settings: WORKERS: no longer exists; start a process for each core/),
          expect.stringMatching(/^settings: PORT: /),
          expect.stringMatching(/^settings: RATE_LIMIT: /),
        ],
      ]);
    });
  }));

describe('the doctor of Redis', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await sqlite.create();
    await petstore(['db', 'migrate'], { DATABASE_URL: database.url });
  });
  afterEach(() => database.drop());
  const findings = async (url: string) => {
    const { found } = await examine({ DATABASE_URL: database.url, REDIS_URL: url });
    return found.flatMap(({ check, state, what }) => (check === 'redis' ? `${state}: ${what}` : []));
  };

  it('says that it is away', async () => {
    const [found, ...others] = await findings(`redis://127.0.0.1:${await freePort()}`);
    expect([found, others]).toEqual([expect.stringMatching(/^problem: .* \(connect ECONNREFUSED /), []]);
  });

  it('says that it hangs, within 10 s', async () => {
    const silent = createTcpServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const begun = performance.now();
    const found = await findings(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    expect(performance.now() - begun).toBeLessThan(10_000);
    silent.close();
    expect(found).toEqual([expect.stringMatching(/^problem: /)]);
  });
});

it('the doctor names each line of .env that is none, with the other mistakes, and makes no SQLite file where there is none', async () => {
  build();
  const folder = await mkdtemp(join(tmpdir(), 'petstore-doctor-'));
  const file = join(folder, '.env');
  const doctor = () => spawnPetstore(['doctor'], { DATABASE_URL: 'sqlite:./petstore.db' }, folder).end();
  await writeFile(file, 'LOG_LEVEL=loud\nnonsense here\n');
  const mistaken = await doctor();
  expect(mistaken.code).toBe(1);
  expect(mistaken.stdout).toMatch(
    /^problem {2}settings: \.env: line 2 .*\nproblem {2}settings: LOG_LEVEL: .*\n$/,
  );
  await writeFile(file, 'LOG_LEVEL=silent\n');
  for (const _ of [1, 2]) {
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^problem {2}database: The file .*petstore\.db does not exist\. Create it .*\n/m);
  }
  await rm(folder, { recursive: true });
});
