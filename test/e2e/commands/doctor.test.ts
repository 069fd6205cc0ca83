import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { petstore } from '../../support/petstore.js';
import { mariaDb, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { freePort } from '../../support/processes/local-program.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { RedisServer } from '../../support/databases/redis-server.js';

interface Diagnosis {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly what: string;
  readonly remedy?: string;
}

/** Runs the doctor. @returns its exit code, its findings, and those that are not ok */
async function examine(environment: Record<string, string>) {
  const { code, output } = await petstore(['doctor', '--json'], { LOG_LEVEL: 'silent', ...environment });
  const found = JSON.parse(output.slice(output.indexOf('[{"check"'))) as Diagnosis[];
  return { code, found, wrong: found.filter(({ state }) => state !== 'ok') };
}

describe('the doctor', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let environment: Record<string, string>;
    beforeEach(async () => {
      database = await engine.create();
      environment = { DATABASE_URL: database.url };
      await flushAtCommit(1);
    });
    afterEach(async () => {
      await flushAtCommit(0);
      await database.drop();
    });
    // The server of this run does not flush to disk at a commit (`WITHOUT_THE_DISK`); the doctor warns of that.
    const flushAtCommit = async (how: 0 | 1) => {
      const statement = `SET GLOBAL innodb_flush_log_at_trx_commit = ${how}`;
      if (engine === mariaDb) await database.execute(statement);
    };
    const run = (...args: string[]) => petstore(args, environment);
    const migrate = () => run('db', 'migrate');
    const issue = (...more: string[]) => run('keys', 'issue', '--name', 'shop', ...more);

    it('finds nothing wrong where nothing is', async () => {
      await migrate();
      await issue();
      const { code, found, wrong } = await examine(environment);
      expect([code, wrong]).toEqual([0, []]);
      // Modules may add checks.
      expect(found.map(({ check }) => check)).toEqual(
        expect.arrayContaining([
          'configuration',
          'node',
          'database',
          'schema',
          'tables',
          'settings',
          'keys',
          'events',
          'writes',
          'purge',
          'ids',
          'port',
          engine.name === 'SQLite' ? 'disk' : 'connections',
        ]),
      );
      const { output } = await run('doctor');
      expect(output).toMatch(/^ok {7}configuration: The configuration is valid\.\n/);
    });

    it('finds ids that are taken, and mends them after asking, or with --yes', async () => {
      await migrate();
      await issue();
      await database.execute(
        "INSERT INTO pets (id, name, category_id, status) VALUES (41, 'Rex', 7, 'available')",
        "UPDATE sequences SET next_id = 3 WHERE name = 'pets'",
      );
      const { code, wrong } = await examine(environment);
      expect([code, wrong]).toEqual([
        1,
        [
          {
            check: 'ids',
            state: 'problem',
            what: 'The next id of pets is 3, but 41 is taken: nothing can be added.',
            remedy: expect.stringContaining('petstore doctor --fix') as string,
          },
        ],
      ]);
      const nobody = await run('doctor', '--fix');
      expect([nobody.code, nobody.output]).toEqual([
        1,
        expect.stringContaining('There is no terminal to ask on'),
      ]);
      const mended = await run('doctor', '--fix', '--yes');
      expect(mended.output).toContain('Done: Set the next id of pets from 3 to 42.');
      expect((await examine(environment)).wrong).toEqual([]);
    });

    it('asks what a misspelt variable was meant to be', async () => {
      await migrate();
      await issue();
      const { code, wrong } = await examine({
        ...environment,
        DATABSE_URL: 'x',
        LOG_LEVLE: 'info',
        PETS_IMPORT_DAY: '30',
        HOSTNAME: 'x',
      });
      expect([code, wrong.map(({ what, remedy }) => `${what} ${remedy}`)]).toEqual([
        0,
        [
          'DATABSE_URL is not a setting. Did you mean DATABASE_URL?',
          'LOG_LEVLE is not a setting. Did you mean LOG_LEVEL?',
          'PETS_IMPORT_DAY is not a setting. Did you mean PETS_IMPORT_DAYS?',
        ],
      ]);
    });

    it('finds out who is at the port', async () => {
      const server = createServer((_, response) => response.end('somebody else')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { wrong } = await examine({ ...environment, PORT: String(port) });
      expect(wrong).toContainEqual({
        check: 'port',
        state: 'problem',
        what: `127.0.0.1:${port} is in use by something else.`,
        remedy: 'Stop it, or set PORT.',
      });
      server.close();
    });

    it('says which migrations are missing, and applies none', async () => {
      await migrate();
      const [, reverted] = /^reverted (\w+)/.exec((await run('db', 'revert', '--yes')).stdout) ?? [];
      const { code, wrong } = await examine(environment);
      expect(code).toBe(1);
      expect(wrong).toMatchObject([{ check: 'schema', state: 'problem', remedy: 'petstore db migrate' }]);
      expect(wrong[0]!.what).toContain(reverted);
      expect((await examine(environment)).wrong).toEqual(wrong);
    });

    it('says that there is no key, or none that works', async () => {
      await migrate();
      expect((await examine(environment)).wrong).toMatchObject([{ check: 'keys', state: 'problem' }]);
      await issue();
      await database.execute('UPDATE api_keys SET expires_at = 1');
      const { code, wrong } = await examine(environment);
      expect(code).toBe(1);
      expect(wrong).toMatchObject([{ check: 'keys', what: 'Every key has expired or is revoked.' }]);
    });

    it('warns of a key that ends soon, and of events that fail', async () => {
      await migrate();
      await issue('--expires', '3d');
      await database.execute(
        `INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position, problem)
         VALUES (1, 'shelters', 'pet_added', 'pet/1', '{}', 1, 1, 3, 1, 'it is broken')`,
        "UPDATE sequences SET next_id = 2 WHERE name = 'outbox'",
      );
      const { code, wrong } = await examine(environment);
      expect(code).toBe(0);
      expect(wrong.map(({ check, state }) => [check, state])).toEqual([
        ['events', 'warning'],
        ['keys', 'warning'],
      ]);
      expect(wrong.map(({ what }) => what).join('\n')).toMatch(
        /1 event waits for "shelters".*it is broken.*\nKey \d+ \(shop\) ends on/,
      );
    });

    it('names each mistake in the configuration', async () => {
      const { code, found } = await examine({ ...environment, PORT: 'http', RATE_LIMIT: '5' });
      expect(code).toBe(1);
      expect(found.map(({ check, state, what }) => [check, state, what.split(':')[0]])).toEqual([
        ['configuration', 'problem', 'PORT'],
        ['configuration', 'problem', 'RATE_LIMIT'],
      ]);
    });

    it('says that Redis is away', async () => {
      await migrate();
      await issue();
      const { code, wrong } = await examine({
        ...environment,
        REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      });
      expect(code).toBe(0);
      expect(wrong).toMatchObject([{ check: 'redis', state: 'warning' }]);
    });

    it.skipIf(!inject('redisIsInstalled'))('finds Redis that is there', async () => {
      await migrate();
      await issue();
      const redis = await RedisServer.start();
      const { found, wrong } = await examine({ ...environment, REDIS_URL: redis.url });
      await redis.stop();
      expect(wrong).toEqual([]);
      expect(found).toContainEqual({ check: 'redis', state: 'ok', what: 'Redis answers.' });
    });
  }));

it('the doctor makes no SQLite file where there is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-doctor-'));
  const environment = { DATABASE_URL: `sqlite:${folder}/petstore.db` };
  for (const _ of [1, 2]) {
    expect((await examine(environment)).wrong).toMatchObject([{ check: 'disk', state: 'problem' }]);
  }
  await rm(folder, { recursive: true });
});

describe.skipIf(!MariaDbServer.isInstalled())('the doctor of a server', () => {
  let server: MariaDbServer;
  beforeAll(async () => (server = await MariaDbServer.start()));
  afterAll(() => server.stop());
  const environment = () => ({ DATABASE_URL: server.url('petstore') });

  it.each(['is down', 'does not answer'])('that %s comes to an end soon, and says so', async (state) => {
    if (state === 'is down') await server.kill();
    else server.freeze();
    const begun = performance.now();
    const { code, wrong } = await examine(environment());
    expect(performance.now() - begun).toBeLessThan(10_000);
    if (state === 'is down') await server.launch();
    else server.thaw();
    expect(code).toBe(1);
    expect(wrong).toMatchObject([{ check: 'database', state: 'problem' }]);
  });
});
