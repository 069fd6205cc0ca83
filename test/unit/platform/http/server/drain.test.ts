import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application, Response } from 'express';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../../../src/platform/config/settings.js';
import { JsonExpressAdapter } from '../../../../support/rooms/http.js';
import { eventually } from '../../../../support/eventually.js';
import { Wire } from '../../../../support/http/wire.js';

/** More than the network buffers hold. */
const LARGE = 16 * 1024 * 1024;
const MOST = 10;
const SETTINGS = readSettings({ MAX_IN_FLIGHT: String(MOST) });

let server: Server;
let wire: Wire;
let held: (() => void)[];
/** How many requests have arrived, whether they have begun or not. */
let arrived: number;
/** The response of the request that was held last. */
let latest: Response;
let drain: (delay?: number) => Promise<void>;

beforeEach(async () => {
  held = [];
  arrived = 0;
  const settings = { ...SETTINGS };
  const adapter = new JsonExpressAdapter(settings);
  adapter.initHttpServer();
  const app = adapter.getInstance<Application>();
  app.get('/held', (_, response) => {
    latest = response;
    held.push(() => response.end('held'));
  });
  app.get('/large', (_, response) => void held.push(() => response.end('x'.repeat(LARGE))));
  app.get('/quick', (_, response) => void response.end('quick'));
  server = adapter.getHttpServer() as Server;
  server.on('request', () => (arrived += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  wire = await connect();
  drain = (delay = 0) => {
    settings.drainDelay = delay;
    return adapter.beforeClose().then(() => adapter.close() as Promise<void>);
  };
});

const connect = () => Wire.to((server.address() as AddressInfo).port);
const ask = (path: string) => `GET ${path} HTTP/1.1\nHost: here\n\n`;
const isHeld = (count: number) => eventually(async () => held.length === count);
const hasArrived = (count: number) => eventually(async () => arrived === count);
const release = () => {
  for (const answer of held.splice(0)) answer();
};
const LAST = /^HTTP\/1.1 200 [^]*Connection: close\r\n/;

describe('a draining server', () => {
  it('completes the requests in flight, and requests that still arrive on open connections', async () => {
    const other = await connect();
    wire.send(ask('/held'));
    other.send('GET /quick HTTP/1.1\n');
    await isHeld(1);
    const drained = drain();
    expect(server.listening).toBe(false);
    other.send('Host: here\n\n');
    expect(await other.closed()).toMatch(LAST);
    wire.send(ask('/held'));
    await hasArrived(3);
    release();
    await isHeld(1);
    release();
    const received = await wire.closed();
    expect(received.match(/HTTP\/1.1 200 /g)).toHaveLength(2);
    expect(received.match(/(?<=Connection: )\S+/g)).toEqual(['keep-alive', 'close']);
    await drained;
  });

  it('responds to all requests of one connection, one after another', async () => {
    wire.send(ask('/held') + ask('/quick') + ask('/held') + ask('/quick').repeat(100));
    await isHeld(1);
    const drained = drain();
    release();
    await isHeld(1);
    release();
    const received = await wire.closed();
    expect(received.match(/held|quick/g)).toEqual(['held', 'quick', 'held', ...Array(100).fill('quick')]);
    expect(received.match(/Connection: close/g)).toHaveLength(1);
    expect(received.indexOf('Connection: close')).toBeGreaterThan(received.lastIndexOf('HTTP/1.1'));
    await drained;
  });

  it('executes nothing after a request of HTTP/1.0 with chunks (RFC 9112 section 6.1)', async () => {
    const head =
      'GET /held HTTP/1.0\nHost: here\nConnection: keep-alive\nTransfer-Encoding: chunked\n\n0\n\n';
    wire.send(head);
    await isHeld(1);
    const drained = drain();
    wire.send(ask('/quick'));
    await hasArrived(2);
    release();
    expect((await wire.closed()).match(/held|quick|Connection: \S+/g)).toEqual(['Connection: close', 'held']);
    await drained;
  });

  it('accepts new connections for the given delay, and closes each after its response', async () => {
    wire.send(ask('/held'));
    await isHeld(1);
    const drained = drain(1_000);
    for (let i = 0; i < 3; i++) {
      const other = await connect();
      other.send(ask('/quick'));
      expect(await other.closed()).toMatch(LAST);
    }
    await eventually(async () => !server.listening);
    release();
    expect(await wire.closed()).toMatch(LAST);
    await drained;
  });

  it('does not cut off a response that its client reads slowly', async () => {
    wire.send(ask('/large'));
    await isHeld(1);
    wire.pause();
    release();
    const idle = vi.spyOn(server, 'closeIdleConnections');
    const drained = drain();
    await eventually(async () => idle.mock.calls.length > 2);
    wire.resume();
    expect((await wire.closed()).length).toBeGreaterThan(LARGE);
    await drained;
  });

  it('closes idle connections, and ends when no connection is left', async () => {
    wire.send(ask('/quick'));
    await wire.answer();
    await drain();
    expect((await wire.closed()).match(/HTTP/g)).toHaveLength(1);
  });

  it('executes waiting requests when it is their turn', async () => {
    wire.hangUp();
    // With fake timers the longest wait in line does not pass.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const wires = await Promise.all(Array.from({ length: MOST + 2 }, connect));
    let received = 0;
    server.on('request', () => (received += 1));
    for (const one of wires) one.send(ask('/held'));
    await eventually(async () => received === wires.length);
    vi.useRealTimers();
    const drained = drain();
    for (let i = 0; i < wires.length; i += MOST) {
      await isHeld(Math.min(MOST, wires.length - i));
      release();
    }
    for (const one of wires) expect(await one.closed()).toMatch(LAST);
    await drained;
  });

  it('executes nothing after the response that closes a connection', async () => {
    const other = await connect();
    wire.send(ask('/held'));
    await isHeld(1);
    const drained = drain();
    other.send(ask('/quick'));
    await other.answer();
    other.send(ask('/held'));
    await other.closed();
    await isHeld(1);
    release();
    await drained;
  });
});

describe('the end of a drain, after 3.9 s,', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  });

  const SHUTTING_DOWN = /^HTTP\/1.1 503 [^]*Connection: close\r\n[^]*"code":"shutting_down"/;

  /** Advances to the time of the last responses, before the last connections end. `meanwhile` runs before that. */
  const end = async (at = 0, meanwhile = () => Promise.resolve()) => {
    const drained = drain();
    await vi.advanceTimersByTimeAsync(at);
    await meanwhile();
    await vi.advanceTimersByTimeAsync(3_899 - at);
    expect(server.listening || wire.isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    return async () => {
      await vi.advanceTimersByTimeAsync(100);
      vi.useRealTimers();
      await drained;
    };
  };

  it('closes connections that sent nothing, or half of a request', async () => {
    const [silent, half] = [await connect(), await connect()];
    half.send('GET /quick HTTP/1.1\nHo');
    wire.send(ask('/held'));
    await isHeld(1);
    const conclude = await end();
    await conclude();
    expect(await wire.closed()).toMatch(SHUTTING_DOWN);
    expect([await silent.closed(), await half.closed()]).toEqual(['', '']);
  });

  it('sends 503 for every request without a response, also in line and pipelined, with its id', async () => {
    const others = await Promise.all(Array.from({ length: MOST - 2 }, connect));
    wire.send(ask('/held') + ask('/held').replace('\n\n', '\nX-Request-Id: behind\n\n'));
    for (const one of others) one.send(ask('/held'));
    await isHeld(MOST - 1);
    const last = await connect();
    last.send(ask('/held'));
    await isHeld(MOST);
    const waiting = await connect();
    waiting.send('GET /held HTTP/1.1\nHost: here\n');
    const conclude = await end(3_500, async () => {
      const cameIn = once(server, 'request');
      waiting.send('X-Request-Id: in-line\n\n');
      await cameIn;
    });
    await conclude();
    const pair = await wire.closed();
    expect(pair.match(/(?<=HTTP\/1.1 )\d+|(?<=Connection: )\S+/g)).toEqual([
      '503',
      'keep-alive',
      '503',
      'close',
    ]);
    expect(pair).toMatch(/X-Request-Id: \S{36}\r\n[^]*X-Request-Id: behind\r\n/);
    expect(await waiting.closed()).toMatch(/^HTTP\/1.1 503 [^]*X-Request-Id: in-line/);
    await isHeld(MOST);
  });

  it.each([
    [
      'a response',
      (response: Response) => void response.status(201).set('Location', '/x').json({ late: true }),
    ],
    [
      'a head of its own',
      (response: Response) => void response.writeHead(200, { 'X-Late': '1' }).end('late'),
    ],
  ])('drops what a handler still writes: %s', async (_, write) => {
    const other = await connect();
    wire.send(ask('/held'));
    await isHeld(1);
    const early = latest;
    other.send(ask('/held'));
    await isHeld(2);
    const conclude = await end();
    write(early);
    await conclude();
    write(latest);
    for (const one of [wire, other]) {
      const said = await one.closed();
      expect(said).toMatch(SHUTTING_DOWN);
      expect(said.match(/HTTP\/1.1/g)).toHaveLength(1);
    }
  });
});

it('a server that never listened has nothing to drain', () => {
  const adapter = new JsonExpressAdapter({ ...SETTINGS, drainDelay: 60_000 });
  adapter.initHttpServer();
  return adapter.beforeClose();
});
