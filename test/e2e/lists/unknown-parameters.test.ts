import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onOneEngine } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';

describe('a query parameter that an operation does not know', () =>
  onOneEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    it.each([
      ['GET', '/v1/pets?stauts=sold', 'query.stauts is not known; did you mean status.'],
      ['GET', '/v1/pets/1?status=sold', 'query.status is not known; none is.'],
      ['GET', '/v1/store/orders?pet=1', 'query.pet is not known; known are cursor, limit, petId, status.'],
      ['POST', '/v1/pets?dryRun=true', 'query.dryRun is not known; none is.'],
      ['POST', '/v1/store/orders?x=1&y=2', 'query.x is not known; none is; query.y is not known; none is.'],
      ['PATCH', '/v1/store/orders/1?x=', 'query.x is not known; none is.'],
    ])('is refused: %s %s', async (method, target, message) => {
      const { status, json } = await service.client.send(method, target);
      expect([status, json]).toMatchObject([400, { code: 'unknown_parameter', message }]);
    });

    it('is refused before anything is done', async () => {
      await service.client.post('/v1/pets?dryRun=true', { name: 'Rex', categoryId: 7 });
      expect((await service.client.get('/v1/pets')).json).toEqual([]);
    });

    it('is told of to nobody without a key, and not of an operation that is gone', async () => {
      expect((await service.stranger.get('/v1/pets/1?x=1')).status).toBe(401);
      service.clock.set('2030-12-05T00:00:00Z');
      expect((await service.client.get('/v1/pets/1?x=1')).status).toBe(410);
      service.clock.set('2026-11-22T00:00:00Z');
    });

    it.each(['/livez', '/docs', '/openapi.json', '/'])(
      'does no harm beside the operations: %s',
      async (path) => {
        expect((await fetch(`${service.stranger.origin}${path}?utm_source=mail`)).status).toBe(200);
      },
    );

    it('is not one when the query is empty', async () => {
      expect((await service.client.get('/v1/pets/404?')).status).toBe(404);
    });
  }));
