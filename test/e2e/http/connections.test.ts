import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { requestRejected } from '../../../src/platform/observability/requests.js';
import { limitInGuide } from '../../support/api-guide.js';
import { bundled, startBundled } from '../../support/built-service.js';
import { sqlite } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { Program } from '../../support/program.js';
import { type Service, startService } from '../../support/service.js';
import { Wire } from '../../support/http/wire.js';

/** A response without a route has the same body as any error. */
function expectError(answer: string, status: number, code: string): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code, status });
}

// The time limits of connections are measured in test/faults/measuring/slow-clients.test.ts.
describe('a connection', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(sqlite, { environment: { TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => service.stop());

  it('that sends bytes that are not HTTP is closed even if the client does not close its side', async () => {
    const wire = await Wire.to(service.port, { allowHalfOpen: true });
    wire.send('nonsense\n\n');
    await wire.answer();
    await eventually(() => {
      wire.send('more');
      return Promise.resolve(wire.isClosed);
    });
    expectError(wire.received, 400, 'invalid_parameter');
  });

  it('may send as many headers as the guide says, and gets an error for one more', async () => {
    const most = Number(limitInGuide('number of headers'));
    const ask = (count: number) =>
      `GET /livez HTTP/1.1\r\nHost: here\r\n${'X: 1\r\n'.repeat(count - 2)}Connection: close\r\n\r\n`;
    expect(await rawRequest(service.port, ask(most))).toMatch(/^HTTP\/1.1 200 /);
    for (const more of [most + 1, 1_000]) {
      expectError(await rawRequest(service.port, ask(more)), 431, 'headers_too_large');
    }
  });

  it('may send a URL and headers that are together as long as the guide says, and gets an error for more', async () => {
    const most = Number.parseInt(limitInGuide('URL and headers together')!) * 1024;
    const ask = (value: string) =>
      `GET /livez HTTP/1.1\r\nHost: here\r\nConnection: close\r\nX: ${value}\r\n\r\n`;
    expect(await rawRequest(service.port, ask('x'.repeat(most - ask('').length)))).toMatch(/^HTTP\/1.1 200 /);
    expectError(await rawRequest(service.port, ask('x'.repeat(most))), 431, 'headers_too_large');
  });

  it('may send a URL as long as the guide says, and gets an error for one more byte', async () => {
    const most = Number.parseInt(limitInGuide('URL: path and query')!);
    const ask = (length: number) =>
      `GET ${'/livez?'.padEnd(length, 'x')} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`;
    expect(await rawRequest(service.port, ask(most))).toMatch(/^HTTP\/1.1 200 /);
    expectError(await rawRequest(service.port, ask(most + 1)), 414, 'uri_too_long');
  });

  it('may request a tunnel and be reset before the response is read', async () => {
    const wire = await Wire.to(service.port);
    wire.pause();
    wire.send('CONNECT evil.example:443 HTTP/1.1\nHost: evil.example\n\n');
    const other = await Wire.to(service.port);
    other.send('CONNECT evil.example:443 HTTP/1.1\nHost: evil.example\n\n');
    await other.closed();
    wire.reset();
    expect((await service.client.get('/v1/pets')).status).toBe(200);
  });

  it.each(['[2001:db8:1:2:3:4:5:6]:4711', 'nobody', '::::::::::'])(
    'may have an invalid client address in X-Forwarded-For: %s',
    async (address) => {
      const headers = { 'X-Forwarded-For': address };
      expect((await service.client.get('/v1/pets', { headers })).status).toBe(200);
    },
  );

  it('gets the same check of the query for an absolute URL', async () => {
    const wire = await Wire.to(service.port);
    const authorization = `Authorization: Bearer ${service.secret}`;
    wire.send(`GET http://here/v1/pets/1?x=1 HTTP/1.1\nHost: here\n${authorization}\n\n`);
    expect(await wire.answer()).toMatch(/^HTTP\/1.1 400 [^]*"unknown_parameter"/);
    wire.hangUp();
  });
});

describe('connections beyond MAX_CONNECTIONS', () => {
  const MOST = 20;
  let service: Service;
  let wires: Wire[];
  beforeAll(async () => {
    service = await startService(sqlite, { environment: { MAX_CONNECTIONS: String(MOST) } });
  });
  afterAll(() => service.stop());

  it('are closed at once and counted, until another connection ends', async () => {
    let counted = 0;
    const count = () => void (counted += 1);
    requestRejected.subscribe(count);
    onTestFinished(() => void requestRejected.unsubscribe(count));
    const ask = `GET /v1/pets HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}\n\n`;
    wires = await Promise.all(Array.from({ length: MOST }, () => Wire.to(service.port)));
    const late = await Wire.to(service.port);
    expect(await late.closed()).toBe('');
    // The client of this test may have a connection, too.
    expect([1, 2]).toContain(counted);
    wires = wires.filter(({ isClosed }) => !isClosed);
    for (const wire of wires) wire.send(ask);
    for (const wire of wires) expect(await wire.answer()).toMatch(/^HTTP\/1.1 200 /);
    wires[0]!.hangUp();
    await eventually(async () => {
      const next = await Wire.to(service.port);
      next.send(ask);
      await eventually(() => Promise.resolve(next.isClosed || next.received !== ''));
      return next.received.startsWith('HTTP/1.1 200 ');
    });
    for (const wire of wires) wire.hangUp();
  });
});

describe('a process', () => {
  it('that may open few files accepts fewer connections, so that it can open its own files, and logs it', async () => {
    const script = `ulimit -n 256 && exec "${process.execPath}" "${bundled('main')}"`;
    const { PATH = '' } = process.env;
    const environment = { PATH, PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'warn' };
    const program = Program.run('sh', ['-c', script], environment);
    const [, port] = await program.printed(/http:\/\/127\.0\.0\.1:(\d+)/);
    expect(program.output).toContain('MAX_CONNECTIONS is 10000, but the process may open only 256 files');
    const half = await Promise.all(Array.from({ length: 400 }, () => Wire.to(Number(port))));
    await eventually(() => Promise.resolve(half.filter(({ isClosed }) => isClosed).length >= 400 - 128));
    for (const wire of half) wire.hangUp();
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
    expect((await program.stop()).code).toBe(0);
  });

  // More connections than Node's default backlog of 511. A client beyond the backlog tries again only a second later.
  it.skipIf(process.platform !== 'linux')(
    'queues a burst of connections that it is too busy to accept',
    async ({ onTestFinished }) => {
      const environment = { DATABASE_URL: 'sqlite::memory:', MAX_CONNECTIONS: '2000' };
      const service = startBundled(environment, tmpdir());
      onTestFinished(async () => void (await service.stop('SIGKILL')));
      const [, port] = await service.printed(/Pet Store +http:\/\/127\.0\.0\.1:(\d+)\/v1\n/);
      const allowed = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
      service.freeze();
      const length = Math.min(1_000, allowed);
      const wires = await Promise.all(Array.from({ length }, () => Wire.to(Number(port))));
      for (const wire of wires) wire.hangUp();
    },
  );
});
