import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { onEveryEngine } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { HeldRequests } from '../support/held-requests.js';
import { type Service, startService } from '../support/service.js';
import { Wire } from '../support/wire.js';

const MOST = 3;
const HOLD = 'GET /held HTTP/1.1\nHost: here\n\n';

describe('a service that is at work on as many requests as it takes', () =>
  onEveryEngine((engine) => {
    const held = new HeldRequests();
    let service: Service;
    let wires: Wire[];
    beforeAll(async () => {
      const environment = { MAX_IN_FLIGHT: String(MOST), REQUEST_TIMEOUT: '60000' };
      service = await startService(engine, { environment, modules: [held.module] });
    });
    afterAll(() => service.stop());

    const fill = async () => {
      wires = await Promise.all(Array.from({ length: MOST }, () => Wire.to(service.port)));
      for (const wire of wires) wire.send(HOLD);
      await held.has(MOST);
    };
    afterEach(async () => {
      held.release();
      for (const wire of wires) wire.hangUp();
      await eventually(async () => (await service.client.get('/v1/pets')).status === 200);
    });

    it('refuses the next one at once, in the shape of every error, and says when to come again', async () => {
      await fill();
      const answer = await service.client.get('/v1/pets', { headers: { 'X-Request-Id': 'one-too-many' } });
      expect([answer.status, answer.json]).toEqual([
        503,
        {
          code: 'overloaded',
          message:
            'The service is at work on as many requests as it takes. Try again after the time in Retry-After.',
          status: 503,
        },
      ]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'retry-after': '1',
        'x-request-id': 'one-too-many',
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    });

    it('gives each that it refuses an id, and keeps its connection', async () => {
      await fill();
      const wire = await Wire.to(service.port);
      wires.push(wire);
      wire.send('HEAD /v1/pets HTTP/1.1\nHost: here\n\n');
      await eventually(() => Promise.resolve(wire.received.endsWith('\r\n\r\n')));
      expect(wire.received).toMatch(/^HTTP\/1.1 503 [^]*X-Request-Id: [0-9a-f-]{36}\r\n/);
      wire.received = '';
      wire.send('POST /v1/pets HTTP/1.1\nHost: here\nContent-Length: 2\n\n{}');
      expect(await wire.answer()).toMatch(/^HTTP\/1.1 503 [^]*Connection: keep-alive/);
      wire.send('GET /livez HTTP/1.1\nHost: here\n\n');
      expect(await wire.answer(2)).toMatch(/^HTTP\/1.1 200 /);
    });

    it('still tells those who watch over it that it is there', async () => {
      await fill();
      for (const target of ['/livez', '/readyz', '/readyz?from=balancer']) {
        expect((await service.stranger.get(target)).status, target).toBe(200);
      }
      expect((await service.stranger.get('/livezz')).status).toBe(503);
    });

    it('does not count those whose bodies are still on their way', async () => {
      wires = await Promise.all(Array.from({ length: 2 * MOST }, () => Wire.to(service.port)));
      const head = `POST /v1/pets HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}\n`;
      const body = '{"name":"Rex","categoryId":7}';
      const invited = `${head}Content-Type: application/json\nContent-Length: ${body.length}\nExpect: 100-continue\n\n`;
      for (const wire of wires) {
        wire.send(invited);
        await eventually(() => Promise.resolve(wire.received.startsWith('HTTP/1.1 100 ')));
      }
      expect((await service.client.get('/v1/pets')).status).toBe(200);
      for (const wire of wires) {
        wire.send(body);
        await eventually(() => Promise.resolve(wire.received.includes('HTTP/1.1 201 ')));
      }
    });

    it('answers those whom it has let in, and then the next ones', async () => {
      await fill();
      expect((await service.client.get('/v1/pets')).status).toBe(503);
      held.release();
      for (const wire of wires) expect(await wire.answer()).toMatch(/^HTTP\/1.1 200 [^]*{"held":true}$/);
      expect((await service.client.get('/v1/pets')).status).toBe(200);
    });

    it('counts what it is at work on, also when the client has left meanwhile', async () => {
      await fill();
      for (const wire of wires) wire.hangUp();
      expect((await service.client.get('/v1/pets')).status).toBe(503);
      held.release();
      await eventually(async () => (await service.client.get('/v1/pets')).status === 200);
    });
  }));
