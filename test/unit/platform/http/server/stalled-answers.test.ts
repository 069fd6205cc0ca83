import { once } from 'node:events';
import type { IncomingMessage, ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { requestRejected } from '../../../../../src/platform/observability/requests.js';
import { Deadline } from '../../../../../src/platform/http/server/deadline.js';
import { DrainableServer } from '../../../../../src/platform/http/server/drain.js';
import { expressMessages } from '../../../../../src/platform/http/server/express-messages.js';
import { InFlight } from '../../../../../src/platform/http/server/in-flight.js';
import type { PreemptibleResponse } from '../../../../../src/platform/http/server/preemptible-response.js';
import { cutStalledAnswers } from '../../../../../src/platform/http/server/connections.js';
import { eventually } from '../../../../support/eventually.js';
import { Wire } from '../../../../support/http/wire.js';

/** More than the network buffers hold. */
const LARGE = 16 * 1024 * 1024;
/** In ms of real time, because it is a timer of Node's. */
const STALLED_AFTER = 1_000;
const ASK = 'GET / HTTP/1.1\nHost: here\n\n';

const counted: string[] = [];
const count = (reason: string) => void counted.push(reason);
let cuts = 0;

beforeAll(() => {
  Logger.overrideLogger(false);
  requestRejected.subscribe(count);
});
afterAll(() => {
  requestRejected.unsubscribe(count);
  expect(counted).toEqual(Array.from({ length: cuts }, () => 'stalled'));
});

/** A server with one client, which has sent this many requests and does not read yet. */
async function serve(requests: number, { onTestFinished }: TestContext) {
  const arrived: PreemptibleResponse[] = [];
  const inFlight = new InFlight(10, 5_000);
  const server = new DrainableServer(
    expressMessages(express()) as ServerOptions,
    (_: IncomingMessage, response: PreemptibleResponse) => void arrived.push(response),
    inFlight,
    new Deadline(inFlight, 60_000),
  );
  cutStalledAnswers(server, STALLED_AFTER);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wire = await Wire.to((server.address() as AddressInfo).port);
  onTestFinished(() => {
    wire.hangUp();
    server.close();
  });
  wire.pause();
  wire.send(ASK.repeat(requests));
  const has = (all: number) => eventually(() => Promise.resolve(arrived.length === all));
  return { server, wire, arrived, has };
}

// Concurrent, because all tests wait for the same time.
describe.concurrent('an answer', () => {
  it.for([false, true])(
    'that its client does not fetch is cut, if it keeps sending: %s',
    async (sends, context) => {
      const { wire, arrived, has } = await serve(1, context);
      await has(1);
      arrived[0]!.end(Buffer.alloc(LARGE, 'x'));
      await eventually(() => {
        // Blank lines before a request are ignored (RFC 9112 section 2.2).
        if (sends) wire.send('\n');
        return Promise.resolve(arrived[0]!.req.socket.destroyed);
      });
      cuts++;
    },
  );

  it('that its client fetches slowly is not, however long that takes', async (context) => {
    const { expect } = context;
    const { wire, arrived, has } = await serve(1, context);
    await has(1);
    arrived[0]!.end(Buffer.alloc(4 * LARGE, 'x'));
    // One piece per fifth of the timeout, over twice the timeout; on this network the system accounts for large pieces only.
    for (let piece = 0; piece < 10; piece++) {
      await sleep(STALLED_AFTER / 5);
      const enough = wire.received.length + LARGE / 10;
      wire.resume();
      while (wire.received.length < enough) await setImmediate();
      wire.pause();
      expect(wire.received.length).toBeLessThan(4 * LARGE);
    }
    wire.resume();
    expect((await wire.answer()).length).toBeGreaterThan(4 * LARGE);
  });

  it('that we owe is waited for, also after one that was fetched late', async (context) => {
    const { expect } = context;
    const { server, wire, arrived, has } = await serve(2, context);
    await has(2);
    arrived[0]!.end(Buffer.alloc(LARGE, 'x'));
    const { socket } = arrived[0]!.req;
    await eventually(() => Promise.resolve(socket.timeout === STALLED_AFTER));
    const timedOut = once(server, 'timeout');
    wire.resume();
    await wire.answer();
    await timedOut;
    arrived[1]!.end('at last');
    expect(await wire.answer(2)).toMatch(/at last$/);
  });
});

describe('a client that asks and does not fetch the answers', () => {
  it('is not read any further, until it fetches them', async (context) => {
    const requests = 20_000;
    const { server, wire, arrived, has } = await serve(0, context);
    server.on('request', (_, response) => void response.end(Buffer.alloc(1_000, 'x')));
    wire.send(ASK.repeat(requests));
    await eventually(() => Promise.resolve(arrived[0]!.req.socket.isPaused()));
    expect(arrived.length).toBeLessThan(requests);
    wire.resume();
    await has(requests);
  });
});
