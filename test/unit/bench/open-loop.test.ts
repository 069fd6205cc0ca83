import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AnswerReader, type PacedLoad, runAtRate } from '../../bench/traffic/open-loop.js';

// The tests at a rate run concurrently, because they mostly wait.
/** In ms: until then a busy machine has sent and answered all requests. */
const PATIENT = 30_000;

async function ask(listener: RequestListener, load: Partial<PacedLoad>) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = { method: 'GET', path: '/' } as const;
  const usual = { origin, key: 'secret', requests: [get], connections: 4, seconds: 1, rate: 100 };
  try {
    return await runAtRate({ ...usual, ...load }, new AbortController().signal);
  } finally {
    server.close();
  }
}

test.concurrent('requests are sent at the given rate, in their order, with key and body', async () => {
  const heard: string[] = [];
  const requests = [
    { method: 'GET', path: '/a' },
    { method: 'POST', path: '/b', body: '{"name":"Zoë"}' },
  ] as const;
  const seen = await ask(
    async (request, response) => {
      const body = (await request.setEncoding('utf8').toArray()).join('');
      heard.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
      response.end('good');
    },
    { requests, connections: 1, rate: 50, graceMs: PATIENT },
  );
  expect(seen).toMatchObject({ requests: 50, faults: [] });
  expect(heard).toHaveLength(50);
  expect(heard.slice(0, 3)).toEqual([
    'GET /a Bearer secret ',
    'POST /b Bearer secret {"name":"Zoë"}',
    'GET /a Bearer secret ',
  ]);
});

test.concurrent('a stall of the server delays all requests that arrive meanwhile, not only one', async () => {
  let count = 0;
  const stallOnce: RequestListener = async (_, response) => {
    if (++count === 20) await sleep(300);
    response.end('good');
  };
  const { p99Ms } = await ask(stallOnce, { connections: 1 });
  // A closed loop would count one long wait in 70 requests; here the next request's wait is shorter by only 10 ms.
  expect(p99Ms).toBeGreaterThan(250);
});

test.concurrent('a request without a response counts with the time that it has waited', async () => {
  let count = 0;
  const answerFirst: RequestListener = (_, response) => void (++count === 1 && response.end('good'));
  const seen = await ask(answerFirst, { seconds: 0.5 });
  expect(seen).toMatchObject({ requests: 1, faults: [] });
  expect(seen.p50Ms).toBeGreaterThan(1_000);
});

test.concurrent('every failure is reported', async () => {
  const refuse: RequestListener = (_, response) =>
    void response.writeHead(400, { 'Content-Length': 3 }).end('bad');
  expect((await ask(refuse, { seconds: 0.1, graceMs: PATIENT })).faults).toEqual([
    '10 answers that are no 2xx or 3xx',
  ]);
});

test('a response is read correctly in whatever pieces it arrives', () => {
  const reader = new AnswerReader();
  const text = 'HTTP/1.1 201 Created\r\nA: b\r\nContent-Length: 4\r\n\r\nZoë';
  const parts = [...Buffer.from(text)].map((byte) => reader.push(Buffer.from([byte])));
  expect(parts.filter(Boolean)).toEqual([{ status: 201, bytes: Buffer.byteLength(text) }]);
  expect(parts.at(-1)).toBeDefined();
  expect(reader.push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'))).toBe(
    'unreadable',
  );
});
