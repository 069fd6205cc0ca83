import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Controller, Get, type MiddlewareConsumer, Param, VERSION_NEUTRAL } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Public } from '../../../src/platform/http/index.js';
import type { JsonExpressAdapter } from '../../support/rooms/http.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Wire } from '../../support/http/wire.js';
import { type Service, startService } from '../../support/service.js';

/** The requests to `/held` that have begun and are not released. */
const held: { readonly name: string; readonly release: () => void }[] = [];
/** The names of all requests to `/held` that have begun. */
const begun: string[] = [];
const isHeld = (name: string) =>
  eventually(() => Promise.resolve(held.length === 1 && held[0]!.name === name));
const release = () => held.shift()!.release();

const context = new AsyncLocalStorage<string>();
/** The value that each request finds in its async context, before it stores its own path there. */
const found: (string | undefined)[] = [];
const enter = ({ url }: Request, _: Response, next: NextFunction) => {
  found.push(context.getStore());
  context.run(url, next);
};

@Public()
@Controller({ path: 'held', version: VERSION_NEUTRAL })
class HeldController {
  @Get(':name')
  async get(@Param('name') name: string) {
    begun.push(name);
    await new Promise<void>((resolve) => held.push({ name, release: resolve }));
    return { name };
  }
}
class HoldingModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(enter).forRoutes(HeldController);
  }
}

const hold = (name: string) => `GET /held/${name} HTTP/1.1\nHost: here\n\n`;
const LIVEZ = 'GET /livez HTTP/1.1\nHost: here\n\n';

// The cost for others, in memory and in files: test/faults/measuring/pipelining.test.ts. While the service stops:
// test/unit/platform/http/server/drain.test.ts.
describe('requests that arrive on one connection before the first response', () => {
  let service: Service;
  let wire: Wire;
  /** The service's side of the connection. */
  let socket: Socket;
  beforeEach(async () => {
    for (const list of [held, begun, found]) list.length = 0;
    service = await startService(sqlite, {
      modules: [{ module: HoldingModule, controllers: [HeldController] }],
    });
    server().once('connection', (one: Socket) => (socket = one));
    wire = await Wire.to(service.port);
  });
  afterEach(async () => {
    wire.hangUp();
    while (held.length > 0) release();
    await service.stop();
  });

  const server = () => service.app.getHttpServer() as Server;
  const admission = () => (service.app.getHttpAdapter() as unknown as JsonExpressAdapter).admission;
  const connections = () => new Promise<number>((done) => server().getConnections((_, count) => done(count)));
  const statuses = (text: string) => text.match(/(?<=HTTP\/1.1 )\d+/g);
  const headOfPost = (length: number, more = '') =>
    `POST /v1/pets HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}\nContent-Type: application/json\n` +
    `Content-Length: ${length}\n${more}\n`;
  const pet = JSON.stringify({ name: 'Rex', categoryId: 7 });

  it('begin one after another, and take one slot', async () => {
    wire.send(hold('a') + hold('b') + hold('c'));
    for (const name of ['a', 'b', 'c']) {
      await isHeld(name);
      expect(admission().count).toBe(1);
      release();
    }
    expect(await wire.answer(3)).toContain('{"name":"c"}');
    expect(begun).toEqual(['a', 'b', 'c']);
    expect(wire.received.match(/(?<="name":")\w/g)).toEqual(['a', 'b', 'c']);
  });

  it('are answered in order whether or not a response has a body', async () => {
    const tag = /ETag: (\S+)/.exec(await answerTo(`GET /openapi.json HTTP/1.1\nHost: here\n\n`))![1]!;
    wire.send(
      `HEAD /livez HTTP/1.1\nHost: here\n\n` +
        `GET /openapi.json HTTP/1.1\nHost: here\nIf-None-Match: ${tag}\n\n` +
        'OPTIONS /v1/pets HTTP/1.1\nHost: here\n\n' +
        `${headOfPost(pet.length)}${pet}` +
        'GET /nowhere HTTP/1.1\nHost: here\n\n' +
        'GET /livez HTTP/1.1\nHost: here\nConnection: close\n\n',
    );
    expect(statuses(await wire.closed())).toEqual(['200', '304', '204', '201', '404', '200']);
  });

  async function answerTo(text: string): Promise<string> {
    const other = await Wire.to(service.port);
    other.send(text);
    const answer = await other.answer();
    other.hangUp();
    return answer;
  }

  it('begin in their own async context, and not in that of the request before', async () => {
    wire.send(hold('a') + hold('b') + hold('c'));
    for (const name of ['a', 'b', 'c']) {
      await isHeld(name);
      release();
    }
    expect(found).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['requests', () => LIVEZ.repeat(20_000)],
    // Node stops reading because of the body, and the service stops reading too. Together they must not resume the reading.
    ['a request with a large body', () => LIVEZ + headOfPost(1_000_000) + ' '.repeat(1_000_000)],
  ])('are not read while one of them waits: %s', async (_, text) => {
    wire.send(hold('a'));
    await isHeld('a');
    wire.send(text());
    await eventually(async () => socket.bytesRead > hold('a').length + 1_000);
    // The service would read more during these requests.
    for (let i = 0; i < 10; i++) expect((await service.stranger.get('/livez')).status).toBe(200);
    // The service reads at most two chunks until it notices the waiting request.
    expect(socket.bytesRead).toBeLessThan(200_000);
  });

  it('are read again when the last waiting request begins', async () => {
    // More than Node reads at a time.
    const count = 150;
    const long = LIVEZ.replace('\n\n', `\nX-Padding: ${'x'.repeat(1_000)}\n\n`);
    wire.send(hold('a') + long.repeat(count) + hold('b'));
    await isHeld('a');
    release();
    await isHeld('b');
    release();
    await eventually(async () => wire.received.includes('{"name":"b"}'));
    expect(statuses(wire.received)).toHaveLength(count + 2);
  });

  it('are answered to a client that reads late, although the responses fill the buffers of the system', async () => {
    const count = 200;
    wire.pause();
    const document = 'GET /openapi.json HTTP/1.1\nHost: here\n\n';
    wire.send(document.repeat(count / 2));
    await eventually(async () => socket.writableLength > 0);
    wire.send(document.repeat(count / 2) + LIVEZ);
    expect((await service.stranger.get('/livez')).status).toBe(200);
    wire.resume();
    await eventually(async () => statuses(wire.received)?.length === count + 1);
    expect(new Set(statuses(wire.received))).toEqual(new Set(['200']));
  });

  it('get `100 Continue` for a body only when it is their turn', async () => {
    wire.send(hold('a') + headOfPost(pet.length, 'Expect: 100-continue\n'));
    await isHeld('a');
    for (let i = 0; i < 10; i++) expect((await service.stranger.get('/livez')).status).toBe(200);
    expect(wire.received).toBe('');
    release();
    await eventually(async () => wire.received.endsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    wire.send(pet);
    await eventually(async () => wire.received.includes('HTTP/1.1 201 '));
    expect(statuses(wire.received)).toEqual(['200', '100', '201']);
  });

  it.each([
    ['was rejected', 'GET /livez HTTP/1.1\nHost: a,b\n\n', '400'],
    ['requested it', 'GET /livez HTTP/1.1\nHost: here\nConnection: close\n\n', '200'],
    // RFC 9112 section 6.1.
    [
      'has chunks in HTTP/1.0',
      'POST /nowhere HTTP/1.0\nHost: here\nConnection: keep-alive\nTransfer-Encoding: chunked\n\n0\n\n',
      '404',
    ],
  ])(
    'are not executed after a response that closes the connection, because its request %s',
    async (_, text, status) => {
      wire.send(text + headOfPost(pet.length) + pet);
      const received = await wire.closed();
      expect(statuses(received)).toEqual([status]);
      expect(received).toMatch(/Connection: close\r\n/);
      expect((await service.client.get('/v1/pets')).json).toEqual([]);
    },
  );

  it('do not begin after a reset, and at most one begins before the service notices a closed connection', async () => {
    wire.send(hold('a') + hold('b'));
    await isHeld('a');
    wire.reset();
    release();
    await eventually(async () => socket.destroyed);
    const leaving = await Wire.to(service.port);
    leaving.send(hold('c') + hold('d') + hold('e'));
    await isHeld('c');
    leaving.hangUp();
    release();
    await isHeld('d');
    release();
    await eventually(async () => admission().count === 0 && (await connections()) <= 1);
    expect(begun).toEqual(['a', 'c', 'd']);
  });

  it('have the same time limit as a single request', async () => {
    server().timeout = 3_000;
    const other = await Wire.to(service.port);
    other.send(LIVEZ + hold('a') + hold('b'));
    await isHeld('a');
    // Longer than a third of the time limit, which a client has to read a response.
    const begin = performance.now();
    await eventually(async () => performance.now() - begin > 1_500);
    expect(other.isClosed).toBe(false);
    release();
    await isHeld('b');
    expect(await other.closed()).toContain('{"name":"a"}');
  });
});
