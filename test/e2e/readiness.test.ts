import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build, startBuilt } from '../support/built-service.js';
import { petstore } from '../support/petstore.js';
import { onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { MariaDbServer } from '../support/mariadb-server.js';
import type { Program } from '../support/program.js';

const BOOTSTRAP = 'a-key-that-the-operator-has-brought-along';
const SINCE = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const KNOWN = '{"status":"ready","reasons":[]}';
const SHUTTING_DOWN =
  '{"code":"shutting_down","message":"This process is about to stop. Send requests elsewhere.","status":503}';
const UNAVAILABLE =
  '{"code":"database_unavailable","message":"The database cannot be reached at the moment. Try again after the time in Retry-After.","status":503}';

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-readiness-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Asks for /readyz, with this key or without any. */
const asking = (origin: string) => async (key?: string) => {
  const answer = await fetch(`${origin}/readyz`, {
    headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
  });
  return { status: answer.status, text: await answer.text() };
};
const reasonsIn = ({ text }: { text: string }) => (JSON.parse(text) as { reasons: unknown }).reasons;

describe('/readyz', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let service: Program;
    beforeEach(async () => (database = await engine.create()));
    afterEach(async () => {
      await service.stop('SIGKILL');
      await database.drop();
    });
    const start = (more: Record<string, string>) => {
      service = startBuilt({ DATABASE_URL: database.url, LOG_LEVEL: 'info', ...more }, folder);
      return service.printed(/Listening on (http:\S+?)"/).then(([, origin]) => asking(origin!));
    };

    it('tells an operator that migrations are missing, and nobody else', async () => {
      const ready = await start({ MIGRATE_ON_START: 'false', BOOTSTRAP_API_KEY: BOOTSTRAP });
      await service.printed(/lacks migrations/);
      for (const key of [undefined, 'a-key-that-nobody-has-ever-heard-anything-of']) {
        expect(await ready(key)).toEqual({ status: 503, text: UNAVAILABLE });
      }
      const told = await ready(BOOTSTRAP);
      expect(told.status).toBe(503);
      expect(JSON.parse(told.text)).toMatchObject(JSON.parse(UNAVAILABLE) as object);
      expect(reasonsIn(told)).toEqual([
        {
          code: 'migrations_missing',
          message: expect.stringMatching(
            /^(SQLite|MySQL) .* lacks migrations; run "petstore db migrate"\.$/,
          ) as string,
          since: SINCE,
        },
      ]);
      expect((await petstore(['db', 'migrate'], { DATABASE_URL: database.url })).code).toBe(0);
      await eventually(async () => (await ready()).status === 200);
      expect(service.output.match(/not ready: .* lacks migrations/g)).toHaveLength(1);
      expect(service.output.match(/ready again, after /g)).toHaveLength(1);
    });

    it('tells who may know that it stops, by the scope of the key', async () => {
      const ready = await start({ MIGRATE_ON_START: 'true', DRAIN_DELAY: '5000' });
      await service.printed(/Pet Store/);
      const issue = async (...scopes: string[]) => {
        const args = ['keys', 'issue', '--name', 'x', '--json', ...scopes];
        const { output } = await petstore(args, { DATABASE_URL: database.url });
        return (JSON.parse(output) as { secret: string }).secret;
      };
      const all = await issue();
      const ops = await issue('--scopes', 'ops:read');
      const shop = await issue('--scopes', 'pets:read');
      for (const key of [undefined, shop, 'a-key-that-nobody-has-ever-heard-anything-of']) {
        expect(await ready(key)).toEqual({ status: 200, text: '{"status":"ready"}' });
      }
      for (const key of [all, ops]) await eventually(async () => (await ready(key)).text === KNOWN);
      const stopped = service.stop();
      await eventually(async () => (await ready()).status === 503);
      for (const key of [all, ops]) {
        expect(reasonsIn(await ready(key))).toEqual([
          { code: 'stopping', message: 'The process was told to stop.', since: SINCE },
        ]);
      }
      for (const key of [undefined, shop, 'a-key-that-nobody-has-ever-heard-anything-of']) {
        expect(await ready(key)).toEqual({ status: 503, text: SHUTTING_DOWN });
      }
      expect((await stopped).code).toBe(0);
    });
  }));

describe.skipIf(!MariaDbServer.isInstalled())('/readyz, when the database goes away,', () => {
  let server: MariaDbServer;
  let service: Program;
  beforeAll(async () => (server = await MariaDbServer.start()));
  afterAll(async () => {
    await service.stop('SIGKILL');
    await server.stop();
  });

  it('tells an operator whom it has seen before where and why, and the log once', async () => {
    await server.query('CREATE DATABASE petstore');
    service = startBuilt({ DATABASE_URL: server.url('petstore'), MIGRATE_ON_START: 'true' }, folder);
    const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
    const [, secret] = await service.printed(/(psk_test_\w{46})/);
    const ready = asking(origin!);
    await eventually(async () => (await ready(secret)).text === KNOWN);
    await server.kill();
    await eventually(async () => (await ready()).status === 503);
    await eventually(async () =>
      expect(reasonsIn(await ready(secret))).toEqual([
        {
          code: 'database_unavailable',
          message: expect.stringMatching(
            new RegExp(`^MySQL petstore on 127\\.0\\.0\\.1:${server.port} does not answer \\(.+\\)\\.$`),
          ) as string,
          since: SINCE,
        },
      ]),
    );
    expect(await ready()).toEqual({ status: 503, text: UNAVAILABLE });
    await server.launch();
    await eventually(async () => (await ready()).status === 200);
    expect(service.output.match(/not ready: /g)).toHaveLength(1);
    expect(service.output.match(/ready again/g)).toHaveLength(1);
    expect(service.output).not.toContain('"context":"Error"');
  });
});
