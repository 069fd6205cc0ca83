import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../../src/platform/config/version.js';
import { startBundled } from '../../support/built-service.js';
import { sqlite, type TestDatabase } from '../../support/engines.js';
import { Scrape } from '../../support/http/scrape.js';
import { Wire } from '../../support/http/wire.js';

const SECRET = 'bootstrap-key-for-the-test-of-metrics';
/** Nothing listens at this port. */
const NO_REDIS = 'redis://127.0.0.1:1';
const OPERATIONS = resolve(import.meta.dirname, '../../../docs/operations');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-metrics-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a service with metrics. @returns the service with the URLs of its API and its metrics */
async function start(environment: Record<string, string>) {
  const service = startBundled(
    { MIGRATE_ON_START: 'true', BOOTSTRAP_API_KEY: SECRET, METRICS_PORT: '0', ...environment },
    folder,
  );
  const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
  const [, metrics] = await service.printed(/Serving (http:\S+)\/metrics/);
  const send = (path: string, body?: object) =>
    fetch(origin + path, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json', Connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    }).then(async (answer) => (await answer.json()) as { id: number });
  return { service, origin: origin!, metrics: metrics!, send, scrape: () => Scrape.of(`${metrics}/metrics`) };
}

// The tests share one service from its start to its end, and depend on their order.
describe('the metrics', { shuffle: false }, () => {
  let database: TestDatabase;
  let running: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    database = await sqlite.create();
    running = await start({ DATABASE_URL: database.url, REDIS_URL: NO_REDIS });
  });
  afterAll(async () => {
    await running.service.stop();
    await database.drop();
  });

  it('count requests by operation and status, and measure how long they took', async () => {
    const { id } = await running.send('/v1/pets', { name: 'Rex', categoryId: 7 });
    for (let i = 0; i < 3; i++) await running.send('/v1/pets');
    await running.send(`/v1/pets/${id}`);
    await running.send('/v1/pets/404404');
    await running.send('/v1/nowhere');
    await running.send('/v1/pets', { name: 7 });
    const scrape = await running.scrape();
    const requests = (operation: string, status: string) =>
      scrape.value('petstore_http_requests_total', { operation, status });
    expect(requests('createPet', '201')).toBe(1);
    expect(requests('createPet', '400')).toBe(1);
    expect(requests('listPets', '200')).toBe(3);
    expect(requests('getPet', '200')).toBe(1);
    expect(requests('getPet', '404')).toBe(1);
    expect(requests('none', '404')).toBe(1);
    const duration = (le: string) =>
      scrape.value('petstore_http_request_duration_seconds_bucket', { operation: 'listPets', le });
    expect([duration('+Inf'), duration('0.1'), duration('0.25')].every((value) => value! >= 0)).toBe(true);
    expect(duration('+Inf')).toBe(3);
    expect(scrape.value('petstore_http_request_duration_seconds_count', { operation: 'listPets' })).toBe(3);
  });

  it('describe the database, the shared work, and the service itself', async () => {
    const scrape = await running.scrape();
    const is = (name: string, labels: Record<string, string> = {}) => scrape.value(name, labels);
    expect(is('petstore_db_query_duration_seconds_count')).toBeGreaterThan(5);
    expect(is('petstore_db_pool_connections', { state: 'free' })).toBeGreaterThanOrEqual(1);
    expect(is('petstore_db_pool_connections', { state: 'used' })).toBeGreaterThanOrEqual(0);
    expect(is('petstore_db_pool_waiting')).toBe(0);
    // If a module subscribes to new pets, each pet is added in its own unit of work, and not in a batch.
    expect([undefined, 1]).toContain(is('petstore_batch_size_sum', { batch: 'writes' }));
    expect(is('petstore_batch_size_sum', { batch: 'reads' })).toBe(2);
    expect(is('petstore_batch_size_sum', { batch: 'pages' })).toBe(3);
    expect(is('petstore_shared_reads_total', { outcome: 'led' })).toBe(3);
    expect(is('petstore_shared_reads_total', { outcome: 'joined' })).toBe(0);
    expect(is('petstore_key_cache_total', { outcome: 'miss' })).toBe(1);
    expect(is('petstore_key_cache_total', { outcome: 'hit' })).toBeGreaterThanOrEqual(6);
    expect(is('petstore_build_info', { version })).toBe(1);
    expect(is('petstore_ready')).toBe(1);
    expect(is('petstore_http_requests_in_flight')).toBe(0);
    expect(is('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  it('show who still uses deprecated operations, and when these will be removed', async () => {
    const scrape = await running.scrape();
    const [use] = scrape.samples('petstore_deprecated_requests_total');
    expect(use).toMatchObject({
      labels: { operation: 'getPet', key: expect.stringMatching(/^\d+$/) },
      value: 2,
    });
    expect(scrape.value('petstore_deprecated_sunset_timestamp_seconds', { operation: 'getPet' })).toBe(
      Date.UTC(2030, 11, 5) / 1_000,
    );
  });

  it('show how many messages wait for each subscriber, and how many were set aside', async () => {
    // A module may have recorded messages of its own.
    await database.execute('DELETE FROM outbox');
    const row = `VALUES (1, 'shelters', 'PetAdded', 'pet/1', '{}', 0, 0, 0, 1)`;
    await database.execute(
      `INSERT INTO outbox (id, subscriber, kind, thing, facts, recorded_at, next_try_at, failures, position) ${row}`,
    );
    const shelters = { subscriber: 'shelters' };
    const values = async () => {
      const scrape = await running.scrape();
      return ['waiting', 'set_aside'].map((name) => scrape.value(`petstore_outbox_${name}`, shelters));
    };
    expect(await values()).toEqual([1, 0]);
    await database.execute('UPDATE outbox SET set_aside_at = 1');
    expect(await values()).toEqual([0, 1]);
    await database.execute('DELETE FROM outbox');
    const samples = (await running.scrape()).samples('petstore_outbox_waiting');
    // Other subscribers may have samples too, but no event waits for them.
    expect(samples.filter(({ value }) => value > 0)).toEqual([]);
  });

  it('show when each lease was held last, and whether its work failed', async () => {
    const ended = async () => (await running.scrape()).samples('petstore_lease_last_run_timestamp_seconds');
    const [migrated] = await ended();
    expect(migrated).toMatchObject({ labels: { lease: 'migrations' } });
    expect(Date.now() / 1_000 - migrated!.value).toBeLessThan(3_600);
    expect((await running.scrape()).value('petstore_lease_failed', { lease: 'migrations' })).toBe(0);
    await database.execute(
      "INSERT INTO leases (name, held_until, ended_at, problem) VALUES ('shop.cleaning', 0, 5000, 'no broom')",
    );
    const scrape = await running.scrape();
    const shop = { lease: 'shop.cleaning' };
    expect(scrape.value('petstore_lease_last_run_timestamp_seconds', shop)).toBe(5);
    expect(scrape.value('petstore_lease_failed', shop)).toBe(1);
  });

  it('show what an operator has to know before clients notice', async () => {
    const is = (scrape: Scrape, name: string, labels: Record<string, string> = {}) =>
      scrape.value(name, labels);
    const before = await running.scrape();
    expect(is(before, 'petstore_database_read_only')).toBe(0);
    expect(is(before, 'petstore_keys_ending')).toBe(0);
    expect(is(before, 'petstore_purge_lag_seconds')).toBe(0);
    expect(is(before, 'petstore_redis_connected')).toBe(0);
    const soon = Date.now() + 86_400_000;
    await database.execute(
      `INSERT INTO stored_answers VALUES ('1', 'x', 'k', '${'0'.repeat(64)}', '{}', ${Date.now() - 7_200_000})`,
      `UPDATE api_keys SET expires_at = ${soon}`,
    );
    const after = await running.scrape();
    expect(is(after, 'petstore_keys_ending')).toBe(1);
    expect(is(after, 'petstore_purge_lag_seconds')).toBeCloseTo(7_200, -2);
    await database.execute('DELETE FROM stored_answers', 'UPDATE api_keys SET expires_at = NULL');
  });

  it('count bytes that cannot be read as a request', async () => {
    const wire = await Wire.to(Number(new URL(running.origin).port));
    wire.send('HELLO\n\n');
    expect(await wire.closed()).toMatch(/^HTTP\/1.1 400 /);
    const scrape = await running.scrape();
    expect(scrape.value('petstore_http_refused_total', { reason: 'unreadable' })).toBe(1);
    await running.service.printed(/unreadable: refused 1, the latest for HPE_/);
  });

  it('include all that dashboard and alerts use, and the last panel lists the metrics that no other panel shows', async () => {
    const { names } = await running.scrape();
    const read = (file: string) => readFileSync(join(OPERATIONS, file), 'utf8');
    const namedIn = (text: string) => new Set(text.match(/\b(?:petstore|nodejs|process)_\w+/g));
    const unknown = [...namedIn(read('dashboard.json') + read('alerts.yml'))].filter(
      (name) => !names.has(name),
    );
    expect(unknown).toEqual([]);
    const shown = namedIn(read('dashboard.json'));
    const ours = [...names].filter((name) => /^petstore_\w+?(?<!_sum|_count|_bucket)$/.test(name));
    const isShown = (name: string) => [name, `${name}_bucket`, `${name}_sum`].some((one) => shown.has(one));
    const { panels } = JSON.parse(read('dashboard.json')) as { panels: { targets?: { expr: string }[] }[] };
    const [, leftOut] = /__name__!~"(.+?)"/.exec(panels.at(-1)!.targets![0]!.expr)!;
    const isListed = (name: string) => !new RegExp(`^(?:${leftOut})$`).test(name);
    expect(
      ours.filter((name) => isListed(name) === isShown(name)),
      'leave out in the expression of the last panel of the dashboard what another panel shows, and nothing else',
    ).toEqual([]);
    // The last panel also lists a metric of a module that does not edit the dashboard.
    expect(isListed('petstore_kennels_taken_total')).toBe(true);
    expect(ours.length).toBeGreaterThanOrEqual(16);
  });

  it('are served to GET /metrics only', async () => {
    const statusOf = async (path: string, method = 'GET') =>
      (await fetch(running.metrics + path, { method })).status;
    expect(await statusOf('/metrics')).toBe(200);
    expect(await statusOf('/metrics?name=x')).toBe(200);
    expect(await statusOf('/metrics', 'POST')).toBe(404);
    expect(await statusOf('/')).toBe(404);
    expect(await statusOf('/v1/pets')).toBe(404);
    expect((await fetch(`${running.origin}/metrics`)).status).toBe(404);
  });

  it('end with the service', async () => {
    const { code } = await running.service.stop();
    expect(code).toBe(0);
    await expect(running.scrape()).rejects.toThrow();
  });
});
