import type { Server } from 'node:http';
import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Public } from '../../../src/platform/http/index.js';
import type { JsonExpressAdapter } from '../../support/rooms/http.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';
import { Wire } from '../../support/http/wire.js';

const MOST = 4;
/** How many requests may wait in line behind the requests in flight. */
const IN_LINE = 32;
/** Requests to `/held`, which are in flight until they are released. */
const held: (() => void)[] = [];
const areHeld = (count: number) => eventually(() => Promise.resolve(held.length === count));
const release = () => {
  for (const resolve of held.splice(0)) resolve();
};

@Public()
@Controller({ path: 'held', version: VERSION_NEUTRAL })
class HeldController {
  constructor(private readonly source: DataSource) {}

  /** Queries the database after its release. */
  @Get()
  async get() {
    await new Promise<void>((resolve) => held.push(resolve));
    await this.source.query('SELECT 1');
    return { held: true };
  }
}

const HOLD = 'GET /held HTTP/1.1\nHost: here\n\n';

// The order of the line, and when its requests are rejected: test/unit/platform/http/server/admission.test.ts.
describe('a service that executes as many requests as it allows', () => {
  let service: Service;
  let wires: Wire[] = [];
  beforeEach(async () => {
    service = await startService(sqlite, {
      environment: { MAX_IN_FLIGHT: String(MOST), CORS_ORIGINS: '*' },
      modules: [{ module: class Holding {}, controllers: [HeldController] }],
    });
    // Releases handlers whose clients have left.
    release();
    // This request also puts the key into the cache.
    expect((await service.client.get('/v1/pets')).status).toBe(200);
  });

  const server = () => service.app.getHttpServer() as Server;
  const open = (count: number) => Promise.all(Array.from({ length: count }, () => Wire.to(service.port)));
  const admission = () => (service.app.getHttpAdapter() as unknown as JsonExpressAdapter).admission;

  /** Takes all slots, in flight and in line. */
  const fill = async () => {
    // Requests in line wait for as long as the test runs.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    wires = await open(MOST);
    for (const wire of wires) wire.send(HOLD);
    await areHeld(MOST);
    const arrived = new Promise<void>((resolve) => {
      let count = 0;
      server().on('request', () => (count += 1) === IN_LINE && resolve());
    });
    const others = await open(IN_LINE);
    for (const wire of others) wire.send(HOLD);
    wires.push(...others);
    await arrived;
  };
  afterEach(async () => {
    vi.useRealTimers();
    for (const wire of wires) wire.hangUp();
    await eventually(async () => {
      release();
      await service.stranger.get('/livez');
      return admission().count === 0;
    });
    await service.stop();
  });

  it('rejects the next request at once with an Error body and Retry-After', async () => {
    await fill();
    const answer = await service.stranger.get('/v1/pets', { headers: { 'X-Request-Id': 'one-too-many' } });
    expect([answer.status, answer.json]).toEqual([
      503,
      {
        code: 'overloaded',
        message:
          'The service is at its limit of concurrent requests. Try again after the time in `Retry-After`.',
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
  });

  it('keeps the connection of each request that it rejects', async () => {
    await fill();
    const wire = await Wire.to(service.port);
    wires.push(wire);
    wire.send('POST /v1/pets HTTP/1.1\nHost: here\nContent-Length: 2\n\n{}');
    expect(await wire.answer()).toMatch(/^HTTP\/1.1 503 [^]*Connection: keep-alive/);
    wire.send('GET /livez HTTP/1.1\nHost: here\n\n');
    expect(await wire.answer(2)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('has free slots again when clients leave while they wait for a response or in line', async () => {
    await fill();
    for (const wire of wires.slice(MOST)) wire.hangUp();
    // The clients of this test have connections too.
    const connections = () =>
      new Promise<number>((done) => server().getConnections((_, count) => done(count)));
    await eventually(async () => (await connections()) < wires.length - MOST);
    for (const wire of wires.slice(0, MOST)) wire.hangUp();
    // Requests whose clients have left keep their places in line until the next turn of the event loop.
    await eventually(async () => (await service.client.get('/v1/pets')).status === 200);
    expect(admission().count).toBe(0);
    // No handler began for the requests that had left the line.
    await areHeld(MOST);
  });

  // Clients that do not read their responses are in test/faults/measuring/slow-clients.test.ts.
  it('closes the connections of handlers that hang in all slots', async () => {
    expect(server().timeout).toBe(15_000);
    server().timeout = 2_000;
    wires = await open(MOST);
    for (const wire of wires) wire.send(HOLD);
    await areHeld(MOST);
    for (const wire of wires) expect(await wire.closed()).toBe('');
    expect((await service.client.get('/v1/pets')).status).toBe(200);
    // The handlers may still end afterwards, without an effect on others.
    release();
    expect((await service.client.get('/v1/pets')).status).toBe(200);
  });
});
