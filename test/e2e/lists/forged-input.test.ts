import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cursorAfter } from '../../../src/platform/http/lists/pager.js';
import type { ApiClient } from '../../support/api-client.js';
import { existing, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { petstore } from '../../support/petstore.js';
import { Recorder } from '../../support/site/recorder.js';
import { type Service, startService } from '../../support/service.js';

const MAX = 2n ** 63n - 1n;
const EDGES = [-MAX - 1n, -MAX, -(2n ** 53n) - 1n, -1n, 0n, 1n, 2n ** 53n + 1n, MAX];

describe('input that is forged, sent at the same time as good requests of another key', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let service: Service;
    const log = new Recorder();
    let forger: ApiClient;
    let victim: ApiClient;
    beforeAll(async () => {
      database = await engine.create();
      service = await startService(existing(database), { log, environment: { LOG_LEVEL: 'error' } });
      const issued = await petstore(['keys', 'issue', '--name', 'victim', '--json'], {
        DATABASE_URL: database.url,
      });
      const { secret } = JSON.parse(issued.stdout) as { secret: string };
      forger = service.client;
      victim = service.stranger.with({ Authorization: `Bearer ${secret}` });
      for (const name of ['Rex', 'Fifi', 'Lou'])
        await service.client.post('/v1/pets', { name, categoryId: 7 });
    });
    afterAll(async () => {
      await service.stop();
      await database.drop();
    });

    /** Forged input is the fault of the client, so the service logs no error. */
    afterEach(() => expect(log.text).toBe(''));

    const paths = ['/pets', '/store/orders'] as const;

    it.each(paths)('a cursor of %s holds a position or is refused, and nobody else notices', async (path) => {
      const forged = [undefined, path === '/pets' ? 'available' : 'placed'].flatMap((status) =>
        EDGES.map((id) => ({ id, status, cursor: cursorAfter(path, status ? { status } : {}, id) })),
      );
      for (const { id, status, cursor } of forged) {
        const filter = status === undefined ? '' : `&status=${status}`;
        const [bad, ...good] = await Promise.all([
          forger.get(`/v1${path}?cursor=${cursor}${filter}`),
          ...[1, 2, 3, 4, 5, 6].map((limit) => victim.get(`/v1${path}?limit=${limit}`)),
        ]);
        expect([id, bad!.status]).toEqual([id, id < 1n ? 400 : 200]);
        if (id < 1n) expect(bad!.json).toMatchObject({ code: 'invalid_cursor' });
        expect(good.map(({ status: of }) => of)).toEqual(good.map(() => 200));
      }
    });

    it('an id of any size names an animal or none', async () => {
      const known = ((await service.client.get('/v1/pets?limit=1')).json as { id: number }[])[0]!.id;
      for (const id of EDGES) {
        const [bad, order, good] = await Promise.all([
          forger.get(`/v1/pets/${id}`),
          forger.send('PATCH', `/v1/store/orders/${id}`, {
            body: '{"status":"approved"}',
            headers: JSON_BODY,
          }),
          victim.get(`/v1/pets/${known}`),
        ]);
        expect([id, order.status, good.status]).toEqual([id, 404, 200]);
        expect([200, 404]).toContain(bad.status);
      }
    });

    it('an order names an animal or none', async () => {
      const order = (petId: bigint) => forger.post('/v1/store/orders', `{"petId":${petId}}`);
      const unknown = [...EDGES.filter((id) => id !== 1n), MAX + 1n];
      for (const { status } of await Promise.all(unknown.map(order))) expect(isRefusal(status)).toBe(true);
    });
  }));

const JSON_BODY = { 'Content-Type': 'application/json' };
const isRefusal = (status: number) => status >= 400 && status < 500;
