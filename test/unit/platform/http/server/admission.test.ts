import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import express, { type Request } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setCallerId } from '../../../../../src/platform/http/caller.js';
import { Admission } from '../../../../../src/platform/http/server/admission.js';
import { expressMessages } from '../../../../../src/platform/http/server/express-messages.js';
import { InFlight } from '../../../../../src/platform/http/server/in-flight.js';
import type { LeanResponse } from '../../../../../src/platform/http/server/lean-response.js';
import { SECURITY_HEADERS } from '../../../../../src/platform/http/server/security-headers.js';
import { rawRequest } from '../../../../support/http/raw-request.js';

const app = express();
const { IncomingMessage: Message, ServerResponse: Response } = expressMessages(app);

let now: number;
let inFlight: InFlight;
let admission: Admission;
let warnings: string[];
/** The admitted requests, in the order in which they began. */
let begun: LeanResponse[];

const admit = (most: number) => {
  inFlight = new InFlight(() => now);
  admission = new Admission(inFlight, most);
};
beforeEach(() => {
  now = 0;
  begun = [];
  warnings = [];
  const warn = (message: unknown) => void warnings.push(String(message));
  Logger.overrideLogger({ log: () => {}, error: () => {}, warn });
  admit(8);
});

/** A request from an address, optionally with an `Authorization` header. */
function arrive(address = '10.0.0.1', authorization?: string, url = '/pets'): LeanResponse {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const request = new Message(socket);
  request.url = url;
  if (authorization) request.headers = { authorization };
  const response = new Response(request);
  admission.enter(response, (one) => void begun.push(one));
  return response;
}
const arriveTimes = (count: number, address?: string, authorization?: string) =>
  Array.from({ length: count }, () => arrive(address, authorization));
const rejected = (responses: LeanResponse[]) => responses.filter(({ statusCode }) => statusCode === 503);
/** Ends the admitted requests until no more begin. @returns all of them in the order in which they began */
async function workOff(): Promise<LeanResponse[]> {
  for (let i = 0; i < begun.length; i++) {
    begun[i]!.end();
    await turn();
  }
  return begun;
}

describe('a request', () => {
  it('is at work at once as long as its client has fewer there than there are places left', () => {
    const responses = arriveTimes(5);
    expect(begun).toEqual(responses.slice(0, 4));
    expect(inFlight.count).toBe(4);
  });

  it('waits in line for its turn otherwise, in the order of arrival', async () => {
    const responses = arriveTimes(20);
    expect(await workOff()).toEqual(responses);
    expect([inFlight.count, rejected(responses)]).toEqual([0, []]);
  });

  it('is rejected when its client has as many in line as there are places left there', async () => {
    const responses = arriveTimes(4 + 32 + 1);
    expect(rejected(responses)).toEqual(responses.slice(-1));
    expect(warnings).toEqual(['overloaded: refused 1, with 4 in flight']);
    expect(await workOff()).toEqual(responses.slice(0, -1));
  });

  it('of another client finds a place, whatever one client sends', () => {
    arriveTimes(100);
    const [first, second, third] = arriveTimes(3, '10.0.0.2');
    expect(begun.slice(4)).toEqual([first, second]);
    expect(rejected([third!])).toEqual([]);
  });

  it('comes in turn, client by client', async () => {
    const many = arriveTimes(10);
    const few = arriveTimes(5, '10.0.0.2');
    const all = await workOff();
    expect(all.length).toBe(15);
    expect(all.indexOf(few.at(-1)!)).toBeLessThan(all.indexOf(many.at(-2)!));
  });

  it('belongs to its caller, once one was accepted under its header, and to its address before', () => {
    const key = 'Bearer good';
    const first = arrive('10.0.0.1', key);
    setCallerId(first.req as Request, '7');
    first.end();
    begun = [];
    arriveTimes(100);
    const [mine] = arriveTimes(1, '10.0.0.1', key);
    const [guess] = arriveTimes(1, '10.0.0.1', 'Bearer guess');
    expect(begun.slice(4)).toEqual([mine]);
    expect(rejected([guess!])).toEqual([guess]);
  });

  it('that was answered or given up while it waited does not begin', async () => {
    const responses = arriveTimes(7);
    responses[4]!.end();
    responses[5]!.req.socket.destroy();
    expect(await workOff()).toEqual([...responses.slice(0, 4), responses[6]]);
    expect(inFlight.waiting()).toEqual([]);
  });

  it('that waits without a place leaves it to the next one', async () => {
    const responses = arriveTimes(5);
    inFlight.setAside(responses[0]!, 'delay');
    await turn();
    expect(begun).toEqual(responses);
  });

  it.each(['/livez', '/readyz', '/readyz?verbose'])('to %s begins always', (url) => {
    arriveTimes(100);
    const probe = arrive('10.0.0.1', undefined, url);
    expect(begun.at(-1)).toBe(probe);
  });

  it.each(['/', '/livezz', '/livez/', '/v1/livez', '/pets?/livez'])('to %s does not', (url) => {
    arriveTimes(100);
    expect(arrive('10.0.0.1', undefined, url).statusCode).toBe(503);
  });
});

describe('overload', () => {
  /** 100 ms in which `times` requests arrive for each one that gets its response, counted as at least four. */
  const comeAndGo = async (times: number) => {
    const served = begun.splice(0);
    for (const response of served) response.end();
    await turn();
    arriveTimes(Math.max(served.length, 4) * times);
    now += 100;
    admission.adjust();
  };

  it('is what comes faster than it is answered, for a while: then the line is short', async () => {
    // Until the queue is full, it counts as a burst only.
    for (let i = 0; i < 3; i++) await comeAndGo(4);
    expect(admission.isOverloaded).toBe(false);
    await comeAndGo(4);
    expect(admission.isOverloaded).toBe(true);
    // Requests that have waited are rejected, and four wait for the four being served.
    expect(inFlight.waiting().length).toBeLessThanOrEqual(8);
    const more = arriveTimes(4);
    expect(rejected(more).length).toBeGreaterThanOrEqual(2);
  });

  it('lets fewer be at work, the fewer are answered, so that each is answered soon', async () => {
    while (!admission.isOverloaded) await comeAndGo(4);
    // Every 100 ms one of those being served gets its response, and 12 more arrive.
    for (let i = 0; i < 6; i++) {
      begun.shift()?.end();
      await turn();
      arriveTimes(12);
      now += 100;
      admission.adjust();
    }
    expect(admission.isOverloaded).toBe(true);
    expect(inFlight.count).toBe(1);
  });

  it('is over when no more come than are answered', async () => {
    for (let i = 0; i < 10; i++) await comeAndGo(4);
    for (let i = 0; i < 6; i++) await comeAndGo(1);
    expect(admission.isOverloaded).toBe(false);
  });

  it('is no burst, however long it takes', async () => {
    const burst = arriveTimes(36);
    for (let i = 0; i < 20; i++) {
      now += 100;
      admission.adjust();
    }
    expect(await workOff()).toEqual(burst);
  });
});

describe('a rejection', () => {
  let server: Server;
  beforeEach(async () => {
    admit(1);
    server = createServer(expressMessages(app) as ServerOptions, (_: IncomingMessage, response) =>
      admission.enter(response as LeanResponse, () => {}),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('has all that an error has', async () => {
    const send = () =>
      rawRequest(
        (server.address() as AddressInfo).port,
        'GET /pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      );
    // One being served, four queued.
    const waiting = Array.from({ length: 5 }, () => send().catch(() => undefined));
    while (inFlight.waiting().length < 5) await turn();
    const [head, body] = (await send()).split('\r\n\r\n');
    const [status, ...headers] = head!.replace(/\r\nDate: .*/, '').split('\r\n');
    expect(status).toBe('HTTP/1.1 503 Service Unavailable');
    const expected = [
      ...SECURITY_HEADERS.filter(([name]) => name !== 'Content-Security-Policy').map(
        ([name, value]) => `${name}: ${value}`,
      ),
      'Retry-After: 1',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body!.length}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    expect(headers.toSorted()).toEqual(expected.toSorted());
    expect(JSON.parse(body!)).toMatchObject({ code: 'overloaded', status: 503 });
    server.closeAllConnections();
    await Promise.all(waiting);
  });
});
