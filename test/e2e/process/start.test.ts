import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database as SqliteFile } from 'better-sqlite3';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { keyLookedUp, rateExceeded } from '../../../src/access/adapters/http/bearer.guard.js';
import { makeReady } from '../../../src/configure-app.js';
import { JoiningDataSource } from '../../../src/platform/database/data-source.js';
import { batchBegun, statementEnded } from '../../../src/platform/database/database-channels.js';
import { Migrator } from '../../../src/platform/database/migrations/migrator.js';
import { answered, readCoalesced, requestRejected } from '../../../src/platform/observability/requests.js';
import { Readiness } from '../../../src/platform/ops/health/readiness.js';
import { build, startBundled } from '../../support/built-service.js';
import { existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';
import { startService } from '../../support/service.js';
import { Recorder } from '../../support/site/recorder.js';

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-start-'));
});
afterAll(() => rm(folder, { recursive: true }));

const IN_MEMORY = { DATABASE_URL: 'sqlite::memory:' };

it.skipIf(!inject('curlIsInstalled'))(
  'The service prints a key and a curl line that works, the first time',
  async ({ onTestFinished }) => {
    const program = startBundled(IN_MEMORY, folder);
    onTestFinished(async () => void (await program.stop()));
    const [, curl] = await program.printed(/^ +(curl .*)$/m);
    expect(execFileSync('sh', ['-c', curl!]).toString()).toBe('[]');
    expect(program.output).toMatch(/Document +http:\S+\/docs and http:\S+\/openapi\.json\n/);
    expect(program.output).toMatch(/Database +SQLite /);
  },
);

describe('the service as it is started', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let environment: Record<string, string>;
    beforeEach(async () => {
      database = await engine.create();
      environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true' };
    });
    afterEach(() => database.drop());

    it('keeps what was added, and later says how to get a key', async () => {
      const first = await startService(existing(database));
      const added = await first.client.post('/v1/pets', { name: 'Rex', categoryId: 7 });
      expect(added.status).toBe(201);
      await first.stop();

      const second = await startService(existing(database));
      // Without a new key the welcome names the command that issues one.
      expect(second.secret).toBe('');
      const headers = { Authorization: `Bearer ${first.secret}` };
      expect((await second.stranger.get('/v1/pets', { headers })).json).toEqual([added.json]);
      await second.stop();
    });

    it('says which operation is gone; commands, whose errors programs read, do not', async () => {
      const gone = { DEPRECATED_OPERATIONS: 'gone' };
      const log = new Recorder();
      const service = await startService(existing(database), {
        environment: { ...gone, LOG_LEVEL: 'warn' },
        log,
      });
      expect(log.text).toContain('"msg":"getPet is gone: it answers 410"');
      const { code, stderr } = await petstore(['keys', 'list', '--json'], { ...environment, ...gone });
      expect([code, stderr]).toEqual([0, '']);
      await service.stop();
    });

    it('goes back, migration by migration, and forwards again', async () => {
      const service = await startService(existing(database));
      const migrator = service.app.get(Migrator);
      const names = (await migrator.status()).map(({ name }) => name);
      for (const name of names.toReversed()) {
        expect(await migrator.newest()).toBe(name);
        await migrator.revert(name);
      }
      expect(await migrator.migrate()).toEqual(names);
      await service.stop();
    });
  }));

describe('the configuration', () => {
  it('is refused as a whole, by variable name, before anything starts', async () => {
    const environment = {
      PORT: '70000',
      DATABASE_URL: 'postgres://x:secret@y/z',
      LOG_LEVEL: 'loud',
      BASE_URL: 'x',
    };
    const { code, output } = await startBundled(environment, folder).end();
    expect(code).toBe(1);
    expect(
      said(output)
        .map((line) => line.split(': ')[0])
        .toSorted(),
    ).toEqual(Object.keys(environment).toSorted());
    expect(output).not.toContain('secret');
  });

  it('that names a file that is no database ends the start with a line that says so', async () => {
    const file = join(folder, 'garbage.db');
    await writeFile(file, 'this is no database, but long enough to be one'.repeat(100));
    const { code, stderr } = await startBundled({ DATABASE_URL: `sqlite:${file}` }, folder).end();
    const line = /^SQLite .*garbage\.db cannot be used: SQLITE_NOTADB \(.*\)\. Check the file .*\.$/;
    expect([code, said(stderr)]).toEqual([1, [expect.stringMatching(line)]]);
  });

  it.each(['PORT', 'METRICS_PORT'])(
    'that names a port in use ends the start with it: %s',
    async (variable) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const port = String((server.address() as AddressInfo).port);
      const { code, stderr } = await startBundled({ ...IN_MEMORY, [variable]: port }, folder).end();
      server.close();
      const line = `127.0.0.1:${port} is in use. Stop the program that uses it, or set ${variable}.`;
      expect([code, said(stderr)]).toEqual([1, [line]]);
    },
  );
});

it('A start says that the database refuses writes, unless it is told to stop: what that closes under it is no finding', async () => {
  const log = new Recorder();
  const service = await startService(existing({ url: 'sqlite::memory:' }), {
    environment: { LOG_LEVEL: 'warn' },
    log,
  });
  const said = () =>
    log.text.match(/The database refuses a write: .*SQLITE_READONLY.* Reads may still work/g)?.length;
  expect(said()).toBeUndefined();
  const { databaseConnection } = service.app.get(JoiningDataSource).driver as BetterSqlite3Driver;
  (databaseConnection as SqliteFile).pragma('query_only = ON');
  await makeReady(service.app);
  expect(said()).toBe(1);

  service.app.get(Readiness).markStopping();
  await makeReady(service.app);
  expect(said()).toBe(1);
  await service.stop();
});

const CHANNELS = {
  answered,
  batchBegun,
  keyLookedUp,
  rateExceeded,
  readCoalesced,
  requestRejected,
  statementEnded,
};
const listenedTo = () =>
  Object.entries(CHANNELS)
    .filter(([, { hasSubscribers }]) => hasSubscribers)
    .map(([name]) => name);

it('Nobody listens to what the service does, unless the operator wants metrics, and nobody does after its end', async () => {
  const start = async (environment: Record<string, string>) => {
    const service = await startService(existing({ url: 'sqlite::memory:' }), {
      environment: { LOG_LEVEL: 'warn', ...environment },
    });
    expect((await service.client.get('/v1/pets')).status).toBe(200);
    return service;
  };
  const quiet = await start({});
  expect(listenedTo()).toEqual([]);
  await quiet.stop();
  const watched = await start({ METRICS_PORT: '0' });
  expect(listenedTo()).toEqual(Object.keys(CHANNELS));
  await watched.stop();
  expect(listenedTo()).toEqual([]);
});

/** The lines on standard error, without those at `info`, which a successful start logs as well. */
const said = (stderr: string) =>
  stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"level":30,'));
