import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Readiness } from '../../../src/platform/health/readiness.js';
import { RunningClock } from '../../support/clocks.js';
import { examine } from '../../support/doctor.js';
import { existing, onEveryEngine } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { petstore } from '../../support/petstore.js';
import { Recorder } from '../../support/site/recorder.js';
import { type Service, startService } from '../../support/service.js';

const BOOTSTRAP = 'a-key-that-the-operator-has-brought-along';
const SINCE = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const KNOWN = '{"status":"ready","reasons":[]}';
const SHUTTING_DOWN =
  '{"code":"shutting_down","message":"This process is about to stop. Send requests elsewhere.","status":503}';
const UNAVAILABLE =
  '{"code":"database_unavailable","message":"The database cannot be reached at the moment. Try again after the time in Retry-After.","status":503}';

/** Requests /readyz, with a key or without one. */
const asking =
  ({ port }: Service) =>
  async (key?: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
    });
    return { status: answer.status, text: await answer.text() };
  };
const reasonsIn = ({ text }: { text: string }) => (JSON.parse(text) as { reasons: unknown }).reasons;

describe('/readyz', () =>
  onEveryEngine((engine) => {
    let service: Service;
    let log: Recorder;
    beforeEach(() => (log = new Recorder()));
    afterEach(() => service.stop());
    const start = async (environment: Record<string, string> = {}) => {
      const awaitReady = environment['MIGRATE_ON_START'] !== 'false';
      service = await startService(engine, { environment, awaitReady, clock: new RunningClock(), log });
      return asking(service);
    };
    const command = (...args: string[]) => petstore(args, { DATABASE_URL: service.database.url });

    it('tells an operator that migrations are missing, and nobody else', async () => {
      const ready = await start({ MIGRATE_ON_START: 'false', BOOTSTRAP_API_KEY: BOOTSTRAP });
      await log.wrote(/migrations are missing/);
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
            /^(SQLite|MySQL) .*: migrations are missing: petstore db migrate\.$/,
          ) as string,
          since: SINCE,
        },
      ]);
      expect((await command('db', 'migrate')).code).toBe(0);
      await eventually(async () => (await ready()).status === 200);
      expect(log.text.match(/not ready: .* migrations are missing/g)).toHaveLength(1);
      expect(log.text.match(/ready again, after /g)).toHaveLength(1);
    });

    it('says once that migrations are missing, however many ask, and so does the doctor', async () => {
      const ready = await start({ MIGRATE_ON_START: 'false', BOOTSTRAP_API_KEY: BOOTSTRAP });
      await log.wrote(/migrations are missing/);
      const headers = { Authorization: `Bearer ${BOOTSTRAP}` };
      for (const target of ['/v1/pets', '/v1/pets/1', '/v1/store/orders']) {
        expect((await ready(BOOTSTRAP)).status).toBe(503);
        expect(await service.stranger.get(target, { headers })).toMatchObject({
          status: 503,
          text: UNAVAILABLE,
        });
      }
      const said = log.text.matchAll(
        /"context":"(\w+)","msg":"[^\n]*migrations are missing: petstore db migrate/g,
      );
      expect([...said].map(([, context]) => context)).toEqual(['Database', 'Readiness']);
      expect(log.text).not.toMatch(/"msg":"database_unavailable/);
      const { found } = await examine({ DATABASE_URL: service.database.url });
      const [{ what, remedy } = {}, ...others] = found.filter(({ check }) => check === 'migrations');
      expect([what, remedy, others]).toEqual([
        expect.stringMatching(/^Migrations are missing: CreateSequences\d+, Create/),
        'petstore db migrate',
        [],
      ]);
    });

    it('tells who may know that it stops, by the scope of the key', async () => {
      const ready = await start();
      const issue = async (...scopes: string[]) => {
        const { stdout } = await command('keys', 'issue', '--name', 'x', '--json', ...scopes);
        return (JSON.parse(stdout) as { secret: string }).secret;
      };
      const all = await issue();
      const ops = await issue('--scopes', 'ops:read');
      const shop = await issue('--scopes', 'pets:read');
      for (const key of [undefined, shop, 'a-key-that-nobody-has-ever-heard-anything-of']) {
        expect(await ready(key)).toEqual({ status: 200, text: '{"status":"ready"}' });
      }
      for (const key of [all, ops]) await eventually(async () => (await ready(key)).text === KNOWN);
      // The first step of every stop; stop.test.ts shows that the process keeps serving for a while after it.
      service.app.get(Readiness).markStopping();
      for (const key of [all, ops]) {
        expect(reasonsIn(await ready(key))).toEqual([
          { code: 'stopping', message: 'The process was told to stop.', since: SINCE },
        ]);
      }
      for (const key of [undefined, shop, 'a-key-that-nobody-has-ever-heard-anything-of']) {
        expect(await ready(key)).toEqual({ status: 503, text: SHUTTING_DOWN });
      }
    });
  }));

describe.skipIf(!MariaDbServer.isInstalled())('/readyz, when the database goes away,', () => {
  let server: MariaDbServer;
  let service: Service;
  beforeAll(async () => (server = await MariaDbServer.start()));
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  it('tells an operator whom it has seen before where and why, and the log once', async () => {
    await server.query('CREATE DATABASE petstore');
    const log = new Recorder();
    service = await startService(existing({ url: server.url('petstore') }), {
      clock: new RunningClock(),
      log,
    });
    const { secret } = service;
    const ready = asking(service);
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
    expect(log.text.match(/not ready: /g)).toHaveLength(1);
    expect(log.text.match(/ready again/g)).toHaveLength(1);
    expect(log.text).not.toContain('"context":"Error"');
  });
});
