import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onEveryEngine, onOneEngine } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import type { JsonExpressAdapter } from '../../../src/platform/http/server/json-express.adapter.js';
import { HeldRequests } from '../../support/http/held-requests.js';
import { type Service, startService } from '../../support/service.js';
import { Wire } from '../../support/http/wire.js';

const MOST = 4;
/** How many requests may be in line behind them. */
const IN_LINE = 32;
const HOLD = 'GET /held HTTP/1.1\nHost: here\n\n';

describe('a service that is at work on as many requests as it takes', () =>
  onOneEngine((engine) => {
    const held = new HeldRequests();
    let service: Service;
    let wires: Wire[] = [];
    // Each has its own: after a rejection those in line wait only briefly.
    beforeEach(async () => {
      const environment = { MAX_IN_FLIGHT: String(MOST), REQUEST_TIMEOUT: '60000' };
      service = await startService(engine, { environment, modules: [held.module] });
      // From now on the key is cached.
      expect((await service.client.get('/v1/pets')).status).toBe(200);
    });

    const adapter = () => service.app.getHttpAdapter() as unknown as JsonExpressAdapter;
    const inFlight = () => adapter().inFlight.waiting();

    /** Takes all places, at work and in line. */
    const fill = async () => {
      wires = await Promise.all(Array.from({ length: MOST + IN_LINE }, () => Wire.to(service.port)));
      for (const wire of wires) wire.send(HOLD);
      await held.has(MOST);
      await eventually(() => Promise.resolve(inFlight().length === wires.length));
    };
    afterEach(async () => {
      for (const wire of wires) wire.hangUp();
      await eventually(async () => {
        held.release();
        await service.stranger.get('/livez');
        return inFlight().length === 0;
      });
      await service.stop();
    });

    it('refuses the next one at once, in the shape of every error, and says when to come again', async () => {
      await fill();
      const answer = await service.stranger.get('/v1/pets', { headers: { 'X-Request-Id': 'one-too-many' } });
      expect([answer.status, answer.json]).toEqual([
        503,
        {
          code: 'overloaded',
          message:
            'The service is at its limit of concurrent requests. Try again after the time in Retry-After.',
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

    it('refuses with a problem who accepts that', async () => {
      await fill();
      const headers = { Accept: 'application/problem+json' };
      const answer = await service.stranger.get('/v1/pets', { headers });
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(answer.json).toMatchObject({ code: 'overloaded', instance: '/v1/pets', status: 503 });
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
      wires = await Promise.all(Array.from({ length: MOST + 1 }, () => Wire.to(service.port)));
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

    it('answers those whom it has let in, and then those in line, in their order', async () => {
      await fill();
      for (let next = 0; next < wires.length; next += MOST) {
        await held.has(MOST);
        expect(wires.slice(next).every(({ received }) => received === '')).toBe(true);
        held.release();
        for (const wire of wires.slice(next, next + MOST))
          expect(await wire.answer()).toMatch(/^HTTP\/1.1 200 [^]*{"held":true}$/);
      }
    });

    it('counts what it is at work on, also when the client has left meanwhile', async () => {
      await fill();
      for (const wire of wires.slice(0, MOST)) wire.hangUp();
      expect((await service.stranger.get('/v1/pets')).status).toBe(503);
      held.release();
      await held.has(MOST);
    });

    it('begins nothing for those who have left the line', async () => {
      await fill();
      for (const wire of wires.slice(MOST)) wire.hangUp();
      await eventually(() => Promise.resolve(inFlight().length === MOST));
      held.release();
      await eventually(() => Promise.resolve(inFlight().length === 0));
      await held.has(0);
    });
  }));

describe('a burst', () =>
  onEveryEngine((engine) => {
    it('of a thousand pets that one client adds at the same instant is added', async () => {
      const service = await startService(engine);
      const wires = await Promise.all(Array.from({ length: 1_000 }, () => Wire.to(service.port)));
      const body = '{"name":"Rex","categoryId":7}';
      const head = `POST /v1/pets HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}\n`;
      const request = `${head}Content-Type: application/json\nContent-Length: ${body.length}\n\n${body}`;
      for (const wire of wires) wire.send(request);
      const statuses = new Set<string>();
      for (const wire of wires) statuses.add((await wire.answer()).slice(0, 12));
      expect([...statuses]).toEqual(['HTTP/1.1 201']);
      for (const wire of wires) wire.hangUp();
      await service.stop();
    });
  }));
