import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import type { JsonExpressAdapter } from '../../../src/platform/http/server/json-express.adapter.js';
import { HeldRequests } from '../../support/http/held-requests.js';
import { type Service, startService } from '../../support/service.js';
import { Wire } from '../../support/http/wire.js';

const MOST = 4;
/** How many requests may be in line behind them. */
const IN_LINE = 32;
const connectionsOf = ({ app }: Service) =>
  new Promise<number>((done) => (app.getHttpServer() as Server).getConnections((_, count) => done(count)));

const HOLD = 'GET /held HTTP/1.1\nHost: here\n\n';

// In which order those in line are served, and when they are refused: test/unit/platform/http/server/admission.test.ts.
describe('a service that is at work on as many requests as it takes', () => {
  const held = new HeldRequests();
  let service: Service;
  let wires: Wire[] = [];
  beforeEach(async () => {
    service = await startService(sqlite, {
      environment: { MAX_IN_FLIGHT: String(MOST), CORS_ORIGINS: '*' },
      modules: [held.module],
    });
    // What began for clients that have left.
    held.release();
    // From now on the key is cached.
    expect((await service.client.get('/v1/pets')).status).toBe(200);
    // Whoever is in line waits for as long as the test does.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  const connections = () => connectionsOf(service);
  const admission = () => (service.app.getHttpAdapter() as unknown as JsonExpressAdapter).admission;

  /** Takes all places, at work and in line. */
  const fill = async () => {
    wires = await Promise.all(Array.from({ length: MOST }, () => Wire.to(service.port)));
    for (const wire of wires) wire.send(HOLD);
    await held.has(MOST);
    const arrived = new Promise<void>((resolve) => {
      let count = 0;
      service.app.getHttpServer().on('request', () => (count += 1) === IN_LINE && resolve());
    });
    const others = await Promise.all(Array.from({ length: IN_LINE }, () => Wire.to(service.port)));
    for (const wire of others) wire.send(HOLD);
    wires.push(...others);
    await arrived;
  };
  afterEach(async () => {
    vi.useRealTimers();
    for (const wire of wires) wire.hangUp();
    await eventually(async () => {
      held.release();
      await service.stranger.get('/livez');
      return admission().count === 0;
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
        message: 'The service is at its limit of concurrent requests. Try again as `Retry-After` says.',
        status: 503,
      },
    ]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'retry-after': '1',
      'x-request-id': 'one-too-many',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // Pages of other origins can read it.
      'access-control-allow-origin': '*',
    });
    const headers = { Accept: 'application/problem+json' };
    const problem = await service.stranger.get('/v1/pets', { headers });
    expect(problem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(problem.json).toMatchObject({ code: 'overloaded', instance: '/v1/pets', status: 503 });
  });

  it('keeps the connection of each that it refuses', async () => {
    await fill();
    const wire = await Wire.to(service.port);
    wires.push(wire);
    wire.send('POST /v1/pets HTTP/1.1\nHost: here\nContent-Length: 2\n\n{}');
    expect(await wire.answer()).toMatch(/^HTTP\/1.1 503 [^]*Connection: keep-alive/);
    wire.send('GET /livez HTTP/1.1\nHost: here\n\n');
    expect(await wire.answer(2)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('has place for others when clients leave that wait for an answer, or a place in line', async () => {
    await fill();
    for (const wire of wires.slice(MOST)) wire.hangUp();
    // Those who watch have connections, too.
    await eventually(async () => (await connections()) < wires.length - MOST);
    for (const wire of wires.slice(0, MOST)) wire.hangUp();
    await eventually(() => Promise.resolve(admission().count === 0));
    expect((await service.client.get('/v1/pets')).status).toBe(200);
    // Nothing has begun for those who had left the line.
    await held.has(MOST);
  });
});

// Clients that fetch no answer are in test/faults/measuring/slow-clients.test.ts.
describe('what keeps a place, and never comes to an end,', () => {
  const held = new HeldRequests();
  /** In ms, of 15 s. */
  const STANDSTILL = 2_000;
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, {
      environment: { MAX_IN_FLIGHT: String(MOST) },
      modules: [held.module],
    });
    const server = service.app.getHttpServer() as Server;
    expect(server.timeout).toBe(15_000);
    server.timeout = STANDSTILL;
  });
  afterAll(() => service.stop());

  const open = (count: number) => Promise.all(Array.from({ length: count }, () => Wire.to(service.port)));
  const others = async () => (await service.client.get('/v1/pets')).status;

  it('is cut off: handlers that hang in all places', async () => {
    const wires = await open(MOST);
    for (const wire of wires) wire.send(HOLD);
    await held.has(MOST);
    for (const wire of wires) expect(await wire.closed()).toBe('');
    expect(await others()).toBe(200);
    // What the handlers do afterwards harms nobody.
    held.release();
    expect(await others()).toBe(200);
  });
});
