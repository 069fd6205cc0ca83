import { DataSource } from 'typeorm';
import { expect, inject, it } from 'vitest';
import { RunningClock } from '../../support/clocks.js';
import { examine } from '../../support/doctor.js';
import { existing, mariaDb, sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { SlowProxy } from '../../support/databases/slow-proxy.js';
import { petstore } from '../../support/petstore.js';
import { Recorder } from '../../support/site/recorder.js';
import { type Service, startService } from '../../support/service.js';

const BOOTSTRAP = 'a-key-that-the-operator-has-brought-along';
const UNAVAILABLE =
  '{"code":"database_unavailable","message":"The database cannot be reached at the moment. Try again after the time in Retry-After.","status":503}';

const asking =
  ({ stranger }: Service) =>
  async () => {
    const { status, text } = await stranger.get('/readyz');
    return { status, text };
  };
const count = (log: Recorder, pattern: RegExp) => log.text.match(new RegExp(pattern, 'g'))?.length ?? 0;

it('/readyz hides that migrations are missing; the log says it once, and so does the doctor', async () => {
  const log = new Recorder();
  const service = await startService(sqlite, {
    environment: { MIGRATE_ON_START: 'false', BOOTSTRAP_API_KEY: BOOTSTRAP },
    awaitReady: false,
    clock: new RunningClock(),
    log,
  });
  const ready = asking(service);
  await log.wrote(/migrations are missing/);
  const headers = { Authorization: `Bearer ${BOOTSTRAP}` };
  for (const target of ['/readyz', '/v1/pets', '/v1/pets/1', '/v1/store/orders']) {
    expect(await ready()).toEqual({ status: 503, text: UNAVAILABLE });
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
    expect.stringMatching(/^petstore db migrate.* applies them\.$/),
    [],
  ]);
  expect((await petstore(['db', 'migrate'], { DATABASE_URL: service.database.url })).code).toBe(0);
  await eventually(async () => (await ready()).status === 200);
  expect(count(log, /not ready: .* migrations are missing/)).toBe(1);
  expect(count(log, /ready again, after /)).toBe(1);
  await service.stop();
});

it.skipIf(!mariaDb.installed)(
  'when the database becomes unavailable, the log says once which database and why',
  async () => {
    const database = await mariaDb.create();
    const proxy = await SlowProxy.before(inject('mariaDbPort')!, () => 0);
    const { port } = proxy;
    const url = new URL(database.url);
    url.port = String(port);
    const log = new Recorder();
    const service = await startService(existing({ url: url.href }), { clock: new RunningClock(), log });
    const ready = asking(service);
    await eventually(async () => (await ready()).status === 200);
    await proxy.close();
    await eventually(async () => (await ready()).status === 503);
    await log.wrote(
      new RegExp(`not ready: MySQL \\w+ on 127\\.0\\.0\\.1:${port} does not answer \\(.+\\)\\.`),
    );
    expect(await ready()).toEqual({ status: 503, text: UNAVAILABLE });
    const again = await SlowProxy.before(inject('mariaDbPort')!, () => 0, port);
    await eventually(async () => (await ready()).status === 200);
    expect(count(log, /not ready: /)).toBe(1);
    expect(count(log, /ready again/)).toBe(1);
    expect(log.text).not.toContain('"context":"Error"');
    await service.stop();
    await again.close();
    await database.drop();
  },
);

it('a database that does not respond for a second is unavailable until it responds again', async () => {
  const service = await startService(sqlite, { clock: new RunningClock() });
  const ready = asking(service);
  // All statements wait for the transaction, because SQLite has one connection.
  let endTransaction!: () => void;
  const end = new Promise<void>((resolve) => (endTransaction = resolve));
  const transaction = service.app.get(DataSource).transaction(() => end);
  const answers = await Promise.all([ready(), ready(), ready()]);
  expect(answers).toEqual(answers.map(() => ({ status: 503, text: UNAVAILABLE })));
  endTransaction();
  await transaction;
  await eventually(async () => (await ready()).status === 200);
  await service.stop();
});
