import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Application } from 'express';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { JsonExpressAdapter } from '../../../../../src/platform/http/server/json-express.adapter.js';
import { eventually } from '../../../../support/eventually.js';
import { Wire } from '../../../../support/http/wire.js';

/** More than the network buffers hold. */
const LARGE = 16 * 1024 * 1024;
const SETTINGS = {
  maxInFlight: 10,
  maxConnections: 10,
  trustProxy: false,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  drainDelay: 0,
  reusePort: false,
};

let server: Server;
let wire: Wire;
let held: (() => void)[];
let drain: (delay?: number) => Promise<void>;

beforeEach(async () => {
  Logger.overrideLogger(false);
  held = [];
  const settings = { ...SETTINGS };
  const adapter = new JsonExpressAdapter(settings);
  adapter.initHttpServer();
  const app = adapter.getInstance<Application>();
  app.get('/held', (_, response) => void held.push(() => response.end('held')));
  app.get('/large', (_, response) => void held.push(() => response.end('x'.repeat(LARGE))));
  app.get('/quick', (_, response) => void response.end('quick'));
  server = adapter.getHttpServer() as Server;
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
const isHeld = (count: number) => eventually(() => Promise.resolve(held.length === count));
const release = () => {
  for (const answer of held.splice(0)) answer();
};
const LAST = /^HTTP\/1.1 200 [^]*Connection: close\r\n/;

describe('a server that is drained', () => {
  it('answers what is in flight, and says that the connection ends', async () => {
    wire.send(ask('/held'));
    await isHeld(1);
    const drained = drain();
    expect(server.listening).toBe(false);
    release();
    expect(await wire.closed()).toMatch(LAST);
    await drained;
  });

  it('lets others in for as long as it was told, and ends their connections', async () => {
    wire.send(ask('/held'));
    await isHeld(1);
    const drained = drain(1_000);
    for (let i = 0; i < 3; i++) {
      const other = await connect();
      other.send(ask('/quick'));
      expect(await other.closed()).toMatch(LAST);
    }
    await eventually(() => Promise.resolve(!server.listening));
    release();
    expect(await wire.closed()).toMatch(LAST);
    await drained;
  });

  it('answers all that stand in line on one connection, and ends it with the last', async () => {
    wire.send(ask('/held').repeat(3));
    await isHeld(3);
    const drained = drain();
    release();
    const answers = await wire.closed();
    expect(answers.match(/Connection: .*/g)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
    await drained;
  });

  it('sends what was answered long ago, but stands in line behind what was not', async () => {
    wire.send(ask('/held') + ask('/quick'));
    await isHeld(1);
    const drained = drain();
    release();
    expect(await wire.closed()).toMatch(/^HTTP\/1.1 200 [^]*\r\n\r\nheldHTTP\/1.1 200 [^]*\r\n\r\nquick$/);
    await drained;
  });

  it('answers what still arrives on open connections', async () => {
    const other = await connect();
    wire.send(ask('/held'));
    other.send('GET /quick HTTP/1.1\n');
    await isHeld(1);
    const drained = drain();
    other.send('Host: here\n\n');
    expect(await other.closed()).toMatch(LAST);
    wire.send(ask('/held'));
    await isHeld(2);
    release();
    expect((await wire.closed()).match(/HTTP\/1.1 200 /g)).toHaveLength(2);
    await drained;
  });

  it.each(['before', 'after'])(
    'cuts no answer short that was given %s and that its client is slow to fetch',
    async (when) => {
      wire.send(ask('/large'));
      await isHeld(1);
      wire.pause();
      if (when === 'before') release();
      const drained = drain();
      release();
      await sleep(200); // meanwhile idle connections are closed
      wire.resume();
      expect((await wire.closed()).length).toBeGreaterThan(LARGE);
      await drained;
    },
  );

  it('closes idle connections, and has ended when nobody is left', async () => {
    wire.send(ask('/quick'));
    await wire.answer();
    await drain();
    expect((await wire.closed()).match(/HTTP/g)).toHaveLength(1);
  });

  it('waits for nobody longer than 4 s', async () => {
    const [silent, half] = [await connect(), await connect()];
    half.send('GET /quick HTTP/1.1\nHo');
    wire.send(ask('/held'));
    await isHeld(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    const drained = drain();
    await vi.advanceTimersByTimeAsync(3_899);
    expect(server.listening || wire.isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(101);
    vi.useRealTimers();
    await drained;
    expect(await wire.closed()).toMatch(/^HTTP\/1.1 503 [^]*Connection: close\r\n[^]*"code":"timeout"/);
    expect([await silent.closed(), await half.closed()]).toEqual(['', '']);
  });
});

it('a server that never listened has nothing to drain', () => {
  const adapter = new JsonExpressAdapter({ ...SETTINGS, drainDelay: 60_000 });
  adapter.initHttpServer();
  return adapter.beforeClose();
});
