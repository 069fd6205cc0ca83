import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Admission, InFlight } from '../../../../../src/platform/http/server/in-flight.js';
import { LeanResponse } from '../../../../../src/platform/http/server/lean-response.js';
import { SECURITY_HEADERS } from '../../../../../src/platform/http/server/security-headers.js';
import { rawRequest } from '../../../../support/raw-request.js';

let server: Server;
let inFlight: InFlight;
let warnings: string[];

beforeEach(async () => {
  warnings = [];
  const warn = (message: unknown) => void warnings.push(String(message));
  Logger.overrideLogger({ log: () => {}, error: () => {}, warn });
  inFlight = new InFlight();
  const admission = new Admission(inFlight, 1);
  server = createServer(
    { ServerResponse: LeanResponse as typeof ServerResponse },
    (_: IncomingMessage, response) => {
      if (!admission.rejects(response as LeanResponse)) response.end('admitted');
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

const send = (line: string, more = '') =>
  rawRequest(
    (server.address() as AddressInfo).port,
    `${line} HTTP/1.1\r\nHost: a\r\n${more}Connection: close\r\n\r\n`,
  );
const occupy = () => inFlight.enter(new LeanResponse({} as IncomingMessage));

describe('a request', () => {
  it('is let in while there are fewer than the most', async () => {
    expect(await send('GET /pets')).toMatch(/admitted$/);
  });

  it('is rejected when there are enough, with all that an error has', async () => {
    occupy();
    const [head, body] = (await send('GET /pets', 'X-Request-Id: mine\r\n')).split('\r\n\r\n');
    const [status, ...headers] = head!.replace(/\r\nDate: .*/, '').split('\r\n');
    expect(status).toBe('HTTP/1.1 503 Service Unavailable');
    const expected = [
      'X-Request-Id: mine',
      ...SECURITY_HEADERS.map(([name, value]) => `${name}: ${value}`),
      'Retry-After: 1',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body!.length}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    expect(headers.toSorted()).toEqual(expected.toSorted());
    expect(JSON.parse(body!)).toMatchObject({ code: 'overloaded', status: 503 });
    expect(warnings).toEqual(['overloaded: refused 1, with 1 in flight']);
  });

  it.each(['/livez', '/readyz', '/readyz?verbose'])('to %s is let in always', async (target) => {
    occupy();
    expect(await send(`GET ${target}`)).toMatch(/admitted$/);
  });

  it.each(['/', '/livezz', '/livez/', '/v1/livez', '/pets?/livez'])('to %s is not', async (target) => {
    occupy();
    expect(await send(`GET ${target}`)).toMatch(/^HTTP\/1.1 503 /);
  });
});
