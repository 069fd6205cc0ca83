import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Application } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../../src/platform/config/settings.js';
import { JsonExpressAdapter } from '../../../../../src/platform/http/server/json-express.adapter.js';
import { requestRejected } from '../../../../../src/platform/observability/requests.js';
import { eventually } from '../../../../support/eventually.js';
import { Wire } from '../../../../support/http/wire.js';

let server: Server;
let latest: Socket | undefined;
let arrived: ServerResponse[];
let warnings: string[];
let counted: string[];
const count = (reason: string) => void counted.push(reason);

beforeEach(async () => {
  [warnings, counted, arrived] = [[], [], []];
  latest = undefined;
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  requestRejected.unsubscribe(count);
  server.closeAllConnections();
  server.close();
});

/** Makes every unfinished request overdue, once the server has received this much of it. */
async function runOutOfTime(received: string): Promise<void> {
  await eventually(() => Promise.resolve(latest?.bytesRead === received.length));
  Object.assign(server, { requestTimeout: 1, headersTimeout: 1 });
}

/** Sends bytes and waits until the server closes the connection. */
async function send(bytes: string, isLate = false): Promise<{ head: string; body: unknown }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  // A server that has responded may reset the connection, which counts as a normal end.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  if (isLate) await runOutOfTime(bytes);
  await closed;
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  return { head, body: JSON.parse(body) };
}

describe('what cannot be read as a request', () => {
  it.each([
    ['is no HTTP at all', 'HELLO\r\n\r\n', 400, 'invalid_parameter'],
    [
      'has headers without end',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'has chunks with endless remarks',
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x=${'x'.repeat(20_000)}\r\na\r\n`,
      413,
      'payload_too_large',
    ],
    ['never comes to its end', 'GET / HTTP/1.1\r\nHost:', 408, 'request_timeout'],
  ])('and %s is rejected like everything else', async (_, bytes, status, code) => {
    const { head, body } = await send(bytes, status === 408);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(head).toContain('Content-Type: application/json; charset=utf-8');
    expect(body).toEqual({ code, status, message: expect.any(String) as string });
  });
});

describe('what could not be read', () => {
  it('is counted, and told in one line for many', async () => {
    for (let i = 0; i < 3; i++) await send('HELLO\r\n\r\n');
    expect(counted).toEqual(['unreadable', 'unreadable', 'unreadable']);
    expect(warnings).toEqual(['unreadable: refused 1, the latest for HPE_INVALID_METHOD']);
  });
});

describe('what comes in pieces', () => {
  const open = () => Wire.to((server.address() as AddressInfo).port);

  it('is no request any more once it was told to be too late', async () => {
    const wire = await open();
    wire.send('GET / HTTP/1.1\nHost:');
    await runOutOfTime('GET / HTTP/1.1\r\nHost:');
    expect(await wire.answer()).toMatch(/^HTTP\/1.1 408 /);
    wire.send(' here\n\n');
    await wire.closed();
    expect(arrived).toEqual([]);
  });

  it('is answered in the form that its client accepts, under its id', async () => {
    const wire = await open();
    const headers = 'Host: here\nAccept: application/problem+json\nX-Request-Id: mine\nContent-Length: 9';
    wire.send(`POST / HTTP/1.1\n${headers}\n\nhalf`);
    await eventually(() => Promise.resolve(arrived.length === 1));
    Object.assign(server, { requestTimeout: 1, headersTimeout: 1 });
    const answer = await wire.closed();
    expect(answer).toMatch(
      /^HTTP\/1.1 408 [^]*Content-Type: application\/problem\+json[^]*X-Request-Id: mine/,
    );
  });

  it.each([
    ['is not there yet', () => {}],
    ['is not fetched', () => void arrived[0]!.end('x'.repeat(16 * 1024 * 1024))],
  ])('is cut off without a word behind a request whose answer %s', async (_, answer) => {
    const wire = await open();
    wire.pause();
    wire.send('GET / HTTP/1.1\nHost: here\n\n');
    await eventually(() => Promise.resolve(arrived.length === 1));
    answer();
    wire.send('nonsense\n\n');
    await eventually(() => Promise.resolve(counted.length === 1 && latest?.destroyed));
    wire.resume();
    expect(await wire.closed()).not.toContain('HTTP/1.1 400 ');
  });
});

describe('a client who is gone, or never said anything,', () => {
  it('is not written to', () => {
    const socket = new Socket();
    server.emit('clientError', Object.assign(new Error('gone'), { code: 'ECONNRESET' }), socket);
    expect([socket.destroyed, socket.bytesWritten, counted]).toEqual([true, 0, []]);
  });
});
