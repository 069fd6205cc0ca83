import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deadline } from '../../../../../src/platform/http/server/deadline.js';
import { expressMessages } from '../../../../../src/platform/http/server/express-messages.js';
import { InFlight } from '../../../../../src/platform/http/server/in-flight.js';
import type { PreemptibleResponse } from '../../../../../src/platform/http/server/preemptible-response.js';
import { eventually } from '../../../../support/eventually.js';
import { Wire } from '../../../../support/http/wire.js';

let time: number;
let inFlight: InFlight;
let deadline: Deadline;
let server: Server;
let arrived: PreemptibleResponse[];
let wire: Wire;

beforeEach(async () => {
  Logger.overrideLogger(false);
  time = 0;
  arrived = [];
  inFlight = new InFlight(10, 5_000, () => time);
  deadline = new Deadline(inFlight, 5_000);
  server = createServer(expressMessages(express()) as ServerOptions, (_: IncomingMessage, response) => {
    inFlight.enter(response as PreemptibleResponse, () => {});
    arrived.push(response as PreemptibleResponse);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  wire = await Wire.to((server.address() as AddressInfo).port);
});
afterEach(() => {
  wire.hangUp();
  server.close();
});

const request = async (text = 'GET /pets HTTP/1.1\nHost: here\n\n') => {
  const count = arrived.length + 1;
  wire.send(text);
  await eventually(() => Promise.resolve(arrived.length === count));
  return arrived.at(-1)!;
};

describe('a request that nobody answers', () => {
  it('is answered when its time is over, not before', async () => {
    await request();
    time = 4_999;
    deadline.endOverdue();
    expect(inFlight.count).toBe(1);
    time = 5_000;
    deadline.endOverdue();
    expect(inFlight.count).toBe(0);
    expect(await wire.answer()).toMatch(/^HTTP\/1.1 503 [^]*Retry-After: 1\r\n[^]*"code":"timeout"/);
  });

  it('leaves its connection good for the next one, whatever its handler says later', async () => {
    const late = await request();
    time = 5_000;
    deadline.endOverdue();
    await wire.answer();
    late.statusCode = 201;
    late.setHeader('Location', '/pets/1');
    late.write('half ');
    late.end('an answer');
    (await request()).end('the next');
    const next = await wire.answer(2);
    expect(next).not.toMatch(/half|an answer|Location/);
    expect(next).toMatch(/the next$/);
    // The handler reads back what it wrote, because it may store that for a retry.
    expect([late.statusCode, late.getHeader('Location')]).toEqual([201, '/pets/1']);
    expect(late.getHeader('Retry-After')).toBeUndefined();
  });

  it('is a problem for a client that accepts problems', async () => {
    await request('GET /pets?limit=1 HTTP/1.1\nHost: here\nAccept: application/problem+json\n\n');
    time = 5_000;
    deadline.endOverdue();
    expect(await wire.answer()).toContain('"instance":"/pets"');
  });

  it('is left to Node while its client sends a body that is being read', async () => {
    const response = await request('POST /pets HTTP/1.1\nHost: here\nContent-Length: 10\n\nhalf');
    response.req.resume();
    time = 60_000;
    deadline.endOverdue();
    expect([inFlight.count, response.headersSent]).toEqual([1, false]);
  });

  it('is our fault when the body waits for us, and its connection ends', async () => {
    await request('POST /pets HTTP/1.1\nHost: here\nContent-Length: 10\n\nhalf');
    time = 5_000;
    deadline.endOverdue();
    expect(await wire.closed()).toMatch(/^HTTP\/1.1 503 [^]*Connection: close/);
  });

  it('is told of in one line, as every failure', async () => {
    const lines: unknown[][] = [];
    const warn = (...line: unknown[]) => void lines.push(line);
    Logger.overrideLogger({ warn, log: warn, error: warn });
    await request('GET /pets?name=Rex HTTP/1.1\nHost: here\n\n');
    time = 5_000;
    deadline.endOverdue();
    const facts = { operation: 'none', method: 'GET', status: 503, bytes: expect.any(Number) as number };
    expect(lines).toEqual([
      ['timeout: the answer took too long', expect.objectContaining(facts) as unknown, 'Deadline'],
    ]);
  });

  it('is forgotten when its client has left', async () => {
    const response = await request();
    wire.hangUp();
    await eventually(() => Promise.resolve(response.req.socket.destroyed));
    expect(inFlight.count).toBe(1);
    time = 5_000;
    deadline.endOverdue();
    expect([inFlight.count, response.headersSent]).toEqual([0, false]);
  });
});
