import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Application } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../../src/platform/config/settings.js';
import { JsonExpressAdapter } from '../../../../support/rooms/http.js';
import { requestRejected } from '../../../../../src/platform/observability/requests.js';
import { eventually } from '../../../../support/eventually.js';
import { Wire } from '../../../../support/http/wire.js';

let server: Server;
let latest: Socket | undefined;
let arrived: ServerResponse[];
let overdue: Set<unknown>;
let warnings: string[];
let counted: string[];
const count = (reason: string) => void counted.push(reason);

beforeEach(async () => {
  [warnings, counted, arrived] = [[], [], []];
  latest = undefined;
  overdue = new Set();
  const warn = (message: unknown) => void warnings.push(String(message));
  Logger.overrideLogger({ log: () => {}, error: () => {}, warn });
  requestRejected.subscribe(count);
  const adapter = new JsonExpressAdapter(readSettings({}));
  adapter.initHttpServer();
  adapter.getInstance<Application>().use((request, response) => {
    arrived.push(response);
    request.resume();
  });
  server = adapter.getHttpServer() as Server;
  server.on('connection', (socket) => (latest = socket));
  server.on('clientError', (_, socket) => overdue.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  requestRejected.unsubscribe(count);
  server.closeAllConnections();
  server.close();
});

const open = () => Wire.to((server.address() as AddressInfo).port);
const hasArrived = () => eventually(async () => arrived.length === 1);
/** Makes every unfinished request overdue. */
const runOutOfTime = () => void Object.assign(server, { requestTimeout: 1, headersTimeout: 1 });
/** Whether Node has reported that a request of this connection is overdue. */
const isOver = (socket: Socket) => overdue.has(socket);
const LONG = 'x'.repeat(20_000);

describe('bytes that cannot be read as a request', () => {
  it.each([
    ['is not HTTP', 'HELLO\n\n', 400, 'invalid_parameter'],
    ['has endless headers', `GET / HTTP/1.1\nHost: a\nX: ${LONG}\n\n`, 431, 'headers_too_large'],
    [
      'has chunks with endless extensions',
      `POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n1;x=${LONG}\na\n`,
      413,
      'payload_too_large',
    ],
  ])('get an Error body: a message that %s', async (_, text, status, code) => {
    const wire = await open();
    wire.send(text);
    const [head, body] = (await wire.closed()).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(head).toContain('Content-Type: application/json; charset=utf-8');
    expect(JSON.parse(body!)).toEqual({ code, status, message: expect.any(String) as string });
  });

  it('are counted, and logged in one line for many', async () => {
    for (let i = 0; i < 3; i++) {
      const wire = await open();
      wire.send('HELLO\n\n');
      await wire.closed();
    }
    expect(counted).toEqual(['unreadable', 'unreadable', 'unreadable']);
    expect(warnings).toEqual(['unreadable: refused 1, the latest for HPE_INVALID_METHOD']);
  });

  it('get no response if the client is gone or sent nothing', () => {
    const socket = new Socket();
    server.emit('clientError', Object.assign(new Error('gone'), { code: 'ECONNRESET' }), socket);
    expect([socket.destroyed, socket.bytesWritten, counted]).toEqual([true, 0, []]);
  });
});

describe('a request that arrives in pieces', () => {
  it('is not executed after it got 408', async () => {
    const wire = await open();
    wire.send('GET / HTTP/1.1\nHost:');
    await eventually(async () => latest?.bytesRead === 'GET / HTTP/1.1\r\nHost:'.length);
    runOutOfTime();
    expect(await wire.answer()).toMatch(/^HTTP\/1.1 408 [^]*"code":"request_timeout"/);
    wire.send(' here\n\n');
    await wire.closed();
    expect(arrived).toEqual([]);
  });

  it('gets an error in the media type that its client accepts, with its id', async () => {
    const wire = await open();
    const headers = 'Host: here\nAccept: application/problem+json\nX-Request-Id: mine\nContent-Length: 9';
    wire.send(`POST / HTTP/1.1\n${headers}\n\nhalf`);
    await hasArrived();
    runOutOfTime();
    const answer = await wire.closed();
    expect(answer).toMatch(
      /^HTTP\/1.1 408 [^]*Content-Type: application\/problem\+json[^]*X-Request-Id: mine/,
    );
  });

  it.each([
    ['is not there yet', () => {}],
    ['is not read', () => void arrived[0]!.end('x'.repeat(16 * 1024 * 1024))],
  ])('is cut off without a response behind a request whose response %s', async (_, answer) => {
    const wire = await open();
    wire.pause();
    wire.send('GET / HTTP/1.1\nHost: here\n\n');
    await hasArrived();
    answer();
    wire.send('nonsense\n\n');
    await eventually(async () => counted.length === 1 && latest?.destroyed);
    wire.resume();
    expect(await wire.closed()).not.toContain('HTTP/1.1 400 ');
  });

  // While a request waits for its turn, the service does not read the bytes behind it.
  it.each([
    ['half of the headers', 'GET / HTTP/1.1\nHost:'],
    ['half of a body', 'POST / HTTP/1.1\nHost: here\nContent-Length: 9\n\nhalf'],
  ])('is not executed, and affects no other, while requests before it wait: %s', async (_, half) => {
    const wire = await open();
    wire.send('GET / HTTP/1.1\nHost: here\n\n'.repeat(3) + half);
    await hasArrived();
    runOutOfTime();
    await eventually(async () => isOver(latest!));
    for (const count of [1, 2, 3]) {
      await eventually(async () => arrived.length === count);
      arrived[count - 1]!.end('done');
    }
    const answers = (await wire.closed()).split('HTTP/1.1 ').slice(1);
    expect(answers.map((answer) => /Connection: (\S+)[^]*done$/.exec(answer)?.[1])).toEqual([
      'keep-alive',
      'keep-alive',
      'close',
    ]);
    expect(counted).toEqual([]);
  });

  it('is not executed behind a response that is being sent, which is sent to its end', async () => {
    const wire = await open();
    wire.send('GET / HTTP/1.1\nHost: here\n\nPOST / HTTP/1.1\nHost: here\nContent-Length: 9\n\nhalf');
    await hasArrived();
    arrived[0]!.write('begun, ');
    runOutOfTime();
    await eventually(async () => isOver(latest!));
    arrived[0]!.end('done');
    expect(await wire.closed()).toMatch(/^HTTP\/1.1 200 [^]*begun, [^]*done\r\n0\r\n\r\n$/);
    expect(arrived).toHaveLength(1);
  });
});
