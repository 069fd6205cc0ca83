import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Deprecation, PetStoreClient, type TryDetails } from '../../client/src/index.js';
import { AppointmentsModule } from '../support/appointments/appointments.module.js';
import { onOneEngine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { answer, drop, refuse, ScriptedServer } from './scripted-server.js';

const LARGEST = 2n ** 63n - 1n;

describe('paths without a method of their own', () =>
  onOneEngine((engine) => {
    let service: Service;
    let client: PetStoreClient;
    beforeAll(async () => {
      service = await startService(engine, { samples: [AppointmentsModule] });
      client = new PetStoreClient({
        baseUrl: `http://127.0.0.1:${service.port}/v1`,
        apiKey: service.secret,
        onDeprecated: () => undefined,
      });
    });
    afterAll(() => service.stop());

    it('can be posted to, read, changed and deleted, with exact integers in requests and responses', async () => {
      const dueAt = new Date('2026-11-20T12:00:00.000Z');
      const appointment = { petId: LARGEST, kind: 'check', vet: 'Ada', dueAt };
      // A team may have a module of this name.
      const list: string = '/appointments';
      const made = (await client.post(list, appointment)) as { id: bigint };
      expect(made).toMatchObject({ petId: LARGEST, dueAt: '2026-11-20T12:00:00.000Z' });
      const path = `${list}/${made.id}`;

      const { data, response } = await client.get(path).withResponse();
      expect([data, response.status]).toEqual([made, 200]);
      const seen = { 'If-None-Match': response.headers.get('etag')! };
      await expect(client.get(path, { headers: seen })).rejects.toMatchObject({
        name: 'NotModifiedError',
        status: 304,
        code: 'not_modified',
      });
      expect(await client.get(list, { query: { petId: LARGEST, limit: 1 } })).toEqual([made]);
      expect(await client.get(`${list}?limit=1`, { query: { petId: LARGEST - 1n } })).toEqual([]);

      const headers = { 'If-Match': response.headers.get('etag')! };
      const changed = await client.patch(path, { price: LARGEST - 1n }, { headers });
      expect(changed).toEqual({ ...made, price: LARGEST - 1n });
      const late = client.patch(path, { price: 7 }, { headers });
      await expect(late).rejects.toMatchObject({
        name: 'PreconditionFailedError',
        status: 412,
        code: 'precondition_failed',
      });
      expect(await client.delete(path)).toBeUndefined();
      await expect(client.get(path)).rejects.toMatchObject({ name: 'NotFoundError', code: 'not_found' });
    });
  }));

const server = await ScriptedServer.start();
afterAll(() => server.stop());

describe('a call by its path', () => {
  const logged: TryDetails[] = [];
  const notices: Deprecation[] = [];
  const client = new PetStoreClient({
    baseUrl: `${server.origin}/v1`,
    apiKey: 'psk_test_key',
    sleep: () => Promise.resolve(),
    logger: { debug: (_, details) => logged.push(details), warn: () => undefined },
    onDeprecated: (notice) => notices.push(notice),
  });
  beforeEach(() => logged.splice(0));

  it('repeats a POST under the same key, and uses a new key for each call', async () => {
    server.does(drop, refuse(503, 'overloaded'), answer(201, { id: 1 }), answer(201, { id: 2 }));
    await client.post('/undocumented', { name: 'Ada' });
    await client.post('/undocumented', { name: 'Ada' });
    await client.post('/undocumented', { name: 'Ada' }, { idempotencyKey: 'raw-1' });
    const keys = server.arrivals.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^"[\da-f]{32}"$/);
    expect([new Set(keys.slice(0, 3)).size, new Set(keys).size, keys.at(-1)]).toEqual([1, 3, '"raw-1"']);
  });

  it('does not repeat a PATCH that a stopping service may have executed, and repeats a GET', async () => {
    server.does(refuse(503, 'shutting_down'), answer(200, { id: 1 }));
    await expect(client.patch('/undocumented/1', {})).rejects.toMatchObject({ code: 'shutting_down' });
    expect(server.arrivals).toHaveLength(1);
    server.does(refuse(503, 'shutting_down'), answer(200, { id: 2 }));
    expect(await client.get('/undocumented/2')).toMatchObject({ id: 2n });
    expect(server.arrivals).toHaveLength(2);
  });

  it('sends a POST without a body when it has none', async () => {
    server.does(answer(201, { id: 1 }));
    await client.post('/undocumented/7/absences');
    expect(server.arrivals).toMatchObject([{ method: 'POST', body: '', url: '/v1/undocumented/7/absences' }]);
    expect(server.arrivals[0]?.headers).not.toHaveProperty('content-type');
  });

  it('appears in the log and in notices by its path without ids', async () => {
    server.does(answer(200, {}, { Deprecation: '@0' }));
    await client.get('/undocumented/7/absences/-8?year=2026');
    await client.patch('/undocumented/v7', {});
    expect(logged.map(({ operation }) => operation)).toEqual([
      'GET /undocumented/{id}/absences/{id}',
      'PATCH /undocumented/v7',
    ]);
    expect(notices.map(({ operation }) => operation)).toEqual(logged.map(({ operation }) => operation));
  });

  it('writes a query with every digit, and omits undefined values', async () => {
    server.does(answer(200, []));
    const from = new Date('2026-11-20T12:00:00.000Z');
    await client.get('/undocumented?open=true', {
      query: { id: LARGEST, from, name: 'a&b', none: undefined },
    });
    expect(server.arrivals[0]?.url).toBe(
      `/v1/undocumented?open=true&id=${LARGEST}&from=2026-11-20T12%3A00%3A00.000Z&name=a%26b`,
    );
  });

  const WRONG: Record<string, () => Promise<unknown>> = {
    'no slash before its path': () => client.get('vets'),
    'no path': () => client.get(undefined as never),
    'the name of another host': () => client.get('@elsewhere.example/undocumented'),
    'a whole URL': () => client.get(`${server.origin}/v1/undocumented`),
    'a path above the base URL': () => client.delete('/../keys'),
    'a percent-encoded path above the base URL': () => client.delete('/undocumented/%2e%2E/../keys/..'),
    'a fragment': () => client.get('/undocumented#7'),
    'a mistyped option': () => client.get('/undocumented', { querry: {} } as never),
    'an idempotency key that would not be sent': () =>
      client.patch('/undocumented/7', {}, { idempotencyKey: 'k' } as never),
    'a number that has lost digits': () => client.post('/undocumented', { id: 2 ** 53 }),
    'a number in its query that has lost digits': () =>
      client.get('/undocumented', { query: { id: 2 ** 53 } }),
    'a value that JSON does not have': () => client.post('/undocumented', { name: () => 'Ada' }),
    'an invalid date': () => client.post('/undocumented', { since: new Date('soon') }),
  };
  for (const [what, call] of Object.entries(WRONG)) {
    it(`sends nothing with ${what}`, async () => {
      server.does(answer(200, {}));
      const failure: unknown = await call().catch((error: unknown) => error);
      expect(failure instanceof TypeError || failure instanceof RangeError, String(failure)).toBe(true);
      expect(server.arrivals).toEqual([]);
    });
  }
});
