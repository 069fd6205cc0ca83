import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEveryEngine } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { HeldRequests } from '../../support/http/held-requests.js';
import { type Service, startService } from '../../support/service.js';
import { Wire } from '../../support/http/wire.js';

const HOLD = 'GET /held HTTP/1.1\nHost: here\nX-Request-Id: held-1\n\n';

describe('a request that is not answered in time', () =>
  onEveryEngine((engine) => {
    const held = new HeldRequests();
    let service: Service;
    beforeAll(async () => {
      // Short, because each test waits for it once; long enough for a list request on a busy machine.
      const environment = { REQUEST_TIMEOUT: '1000', MAX_IN_FLIGHT: '4' };
      service = await startService(engine, { environment, modules: [held.module] });
    });
    afterAll(() => service.stop());

    it('is answered with 503, when to come again, and its id', async () => {
      const answer = await service.stranger.get('/held', { headers: { 'X-Request-Id': 'held-1' } });
      expect([answer.status, answer.json]).toMatchObject([503, { code: 'timeout', status: 503 }]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'retry-after': '1',
        'x-request-id': 'held-1',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      held.release();
    });

    it('is a problem for a client that accepts problems', async () => {
      const answer = await service.stranger.get('/held', { headers: { Accept: 'application/problem+json' } });
      expect(answer.json).toMatchObject({ type: '/docs/errors#timeout', instance: '/held', status: 503 });
      held.release();
    });

    it('makes place for others, while its handler is still at work', async () => {
      const wires = await Promise.all(Array.from({ length: 4 }, () => Wire.to(service.port)));
      for (const wire of wires) wire.send(HOLD);
      for (const wire of wires) await wire.answer();
      expect((await service.client.get('/v1/pets')).status).toBe(200);
      held.release();
      for (const wire of wires) wire.hangUp();
    });

    it('spoils nothing on its connection when its handler answers after all', async () => {
      const wire = await Wire.to(service.port);
      wire.send(HOLD);
      expect(await wire.answer()).toMatch(/^HTTP\/1.1 503 /);
      held.release();
      for (let i = 2; i < 10; i++) {
        wire.send('GET /livez HTTP/1.1\nHost: here\n\n');
        expect(await wire.answer(i)).toMatch(/^HTTP\/1.1 200 [^]*{"status":"alive"}$/);
      }
      wire.hangUp();
    });

    it('is carried out all the same, and its key fetches the answer that nobody got', async () => {
      const headers = { 'Idempotency-Key': 'held-once', 'Content-Type': 'application/json' };
      const ask = () => service.stranger.send('POST', '/held', { headers, body: '{}' });
      expect((await ask()).json).toMatchObject({ code: 'timeout' });
      held.release();
      let again = await ask();
      await eventually(async () => (again = await ask()).status !== 503 && again.status !== 409);
      expect([again.status, again.text]).toEqual([201, '{"held":true}']);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.headers.get('location')).toBe('/held/1');
      expect(again.headers.get('retry-after')).toBeNull();
    });
  }));
