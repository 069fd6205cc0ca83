import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { onEveryEngine } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { HeldRequests } from '../../support/http/held-requests.js';
import { rawRequest } from '../../support/http/raw-request.js';
import { type Service, startService } from '../../support/service.js';
import { Wire } from '../../support/http/wire.js';

/** In ms: the promised limit, plus a margin for a busy machine. */
const LONGEST = 7_000 + 500;

// The timeouts of the server are real time, several seconds each, so the tests run concurrently.
describe.concurrent('a connection that keeps us waiting', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => (service = await startService(engine)));
    afterAll(() => service.stop());

    const posted = (length: number) =>
      `POST /v1/pets HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}\n` +
      `Content-Type: application/json\nContent-Length: ${length}\n\n`;

    it.each([
      ['that never says anything', () => '', /^$/],
      ['with half a header', () => 'GET /livez HTTP/1.1\nHost: here\nX-Ha', /^HTTP\/1.1 408 /],
      ['with half a body', () => `${posted(20)}{"name":"R`, /^HTTP\/1.1 408 /],
      ['with half a body that nobody reads', () => `${posted(20).replace('Bearer', '')}{`, /^HTTP\/1.1 401 /],
      [
        'with half a second request',
        () => 'GET /livez HTTP/1.1\nHost: here\n\nGET',
        /^HTTP\/1.1 200 [^]*408 /,
      ],
      ['that is done', () => 'GET /livez HTTP/1.1\nHost: here\n\n', /^HTTP\/1.1 200 [^]*"alive"}$/],
    ])('%s is closed within seconds', async (_, said, heard) => {
      const wire = await Wire.to(service.port);
      const begun = performance.now();
      wire.send(said());
      expect(await wire.closed()).toMatch(heard);
      expect(performance.now() - begun).toBeLessThan(LONGEST);
    });

    it('by byte after byte of its headers is closed as well', async () => {
      const wire = await Wire.to(service.port);
      const begun = performance.now();
      wire.send('GET /livez HTTP/1.1\nHost: here\nX-Slow: ');
      await eventually(() => {
        wire.send('x');
        return Promise.resolve(wire.isClosed);
      });
      expect(performance.now() - begun).toBeLessThan(LONGEST);
    });

    it('is closed even if the client does not close its side', async () => {
      const wire = await Wire.to(service.port, { allowHalfOpen: true });
      wire.send('nonsense\n\n');
      await wire.answer();
      await eventually(() => {
        wire.send('more');
        return Promise.resolve(wire.isClosed);
      });
      expect(wire.received).toMatch(/^HTTP\/1.1 400 /);
    });

    it('by a hundred headers is served, by one more refused', async () => {
      const ask = (more: number) =>
        `GET /livez HTTP/1.1\r\nHost: here\r\n${'X: 1\r\n'.repeat(more)}Connection: close\r\n\r\n`;
      expect(await rawRequest(service.port, ask(98))).toMatch(/^HTTP\/1.1 200 /);
      for (const more of [99, 120, 1_000]) {
        const answer = await rawRequest(service.port, ask(more));
        expect(answer).toMatch(/^HTTP\/1.1 431 [^]*"code":"headers_too_large"/);
      }
    });
  }),
);

describe('what cannot be read as a request', () =>
  onEveryEngine((engine) => {
    const held = new HeldRequests();
    let service: Service;
    beforeAll(async () => {
      service = await startService(engine, { modules: [held.module] });
    });
    afterAll(() => service.stop());

    const body = '{"name":"Rex","categoryId":7}';
    const post = () =>
      `POST /v1/pets HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}\n` +
      `Content-Type: application/json\nContent-Length: ${body.length}\n\n${body}`;
    const HOLD = 'GET /held HTTP/1.1\nHost: here\n\n';
    const statusesOf = (answers: string) => answers.match(/(?<=HTTP\/1.1 )\d{3}/g);

    it('is answered after the good request before it, which is carried out', async () => {
      const wire = await Wire.to(service.port);
      wire.send(`${post()}nonsense\n\n`);
      const answers = await wire.closed();
      expect(statusesOf(answers)).toEqual(['201', '400']);
      const [, location] = /Location: (\S+)/.exec(answers)!;
      expect((await service.client.get(location!)).status).toBe(200);
    });

    it('is answered after all that stand in line before it, in whatever order they were done', async () => {
      const wire = await Wire.to(service.port);
      const nowhere = 'GET /nowhere HTTP/1.1\nHost: here\n\n';
      wire.send(`${HOLD}${nowhere}${post()}${HOLD}${nowhere.repeat(3)}nonsense\n\n`);
      await held.has(2);
      wire.send(`more of it, and what looks like a request\n\n${post()}`);
      held.release();
      const statuses = ['200', '404', '201', '200', '404', '404', '404', '400'];
      expect(statusesOf(await wire.closed())).toEqual(statuses);
    });

    it('is answered after that as a tunnel, too', async () => {
      const wire = await Wire.to(service.port);
      wire.send(`${HOLD}CONNECT evil.example:443 HTTP/1.1\nHost: evil.example\n\n`);
      await held.has(1);
      held.release();
      expect(statusesOf(await wire.closed())).toEqual(['200', '405']);
    });
  }));

describe('a client that sends what nobody expects', () =>
  onEveryEngine((engine) => {
    let service: Service;
    beforeAll(async () => {
      service = await startService(engine, { environment: { TRUST_PROXY: 'loopback' } });
    });
    afterAll(() => service.stop());

    it('may ask for a tunnel and reset the connection without reading the answer', async () => {
      const wire = await Wire.to(service.port);
      wire.pause();
      wire.send('CONNECT evil.example:443 HTTP/1.1\nHost: evil.example\n\n');
      const other = await Wire.to(service.port);
      other.send('CONNECT evil.example:443 HTTP/1.1\nHost: evil.example\n\n');
      await other.closed();
      wire.reset();
      expect((await service.client.get('/v1/pets')).status).toBe(200);
    });

    it.each(['1:2:3:4:5:6:7:8:9', '[2001:db8:1:2:3:4:5:6]:4711', 'nobody', '::::::::::'])(
      'may name itself by what is no address: %s',
      async (address) => {
        const headers = { 'X-Forwarded-For': address };
        expect((await service.client.get('/v1/pets', { headers })).status).toBe(200);
      },
    );

    it.each(['GET http://[', 'GET http://[::1', 'OPTIONS http://['])(
      'is told that a host is none: %s',
      async (line) => {
        const wire = await Wire.to(service.port);
        wire.send(`${line} HTTP/1.1\nHost: here\n\n`);
        expect(await wire.closed()).toMatch(/^HTTP\/1.1 400 [^]*"invalid_parameter"/);
      },
    );

    it('meets the check of the query in an absolute address too', async () => {
      const wire = await Wire.to(service.port);
      const authorization = `Authorization: Bearer ${service.secret}`;
      wire.send(`GET http://here/v1/pets/1?x=1 HTTP/1.1\nHost: here\n${authorization}\n\n`);
      expect(await wire.answer()).toMatch(/^HTTP\/1.1 400 [^]*"unknown_parameter"/);
      wire.hangUp();
    });
  }));

describe('connections beyond the number that a service keeps', () =>
  onEveryEngine((engine) => {
    let service: Service;
    let wires: Wire[];
    const start = async (environment: Record<string, string>) => {
      service = await startService(engine, { environment: { MAX_CONNECTIONS: '20', ...environment } });
      wires = [];
    };
    afterEach(async () => {
      for (const wire of wires) wire.hangUp();
      await service.stop();
    });

    const open = async (count: number, from?: string) => {
      const opened = await Promise.all(
        Array.from({ length: count }, () => Wire.to(service.port, from ? { from } : {})),
      );
      wires.push(...opened);
      return opened;
    };
    const get = (path: string) =>
      `GET ${path} HTTP/1.1\nHost: here\nAuthorization: Bearer ${service.secret}\n\n`;
    /** How many of these connections are served. */
    const served = async (of: Wire[]) => {
      let count = 0;
      for (const wire of of) {
        wire.send(get('/v1/pets'));
        const answer = await wire.answer();
        if (answer.startsWith('HTTP/1.1 200 ')) count += 1;
        else expect(await wire.closed()).toMatch(/^HTTP\/1.1 503 [^]*Connection: close\r\n[^]*"overloaded"/);
      }
      return count;
    };

    it('are refused, and of one client all but half, of the next one half of the rest', async () => {
      await start({});
      expect(await served(await open(30, '127.0.0.2'))).toBeLessThanOrEqual(10);
      const others = await served(await open(30, '127.0.0.3'));
      expect(others).toBeGreaterThan(2);
      expect(others).toBeLessThanOrEqual(6);
      expect(await served(await open(1, '127.0.0.4'))).toBe(1);
    });

    it('are served to a proxy as long as there are any, since all clients come from it', async () => {
      await start({ TRUST_PROXY: '127.0.0.2' });
      expect(await served(await open(30, '127.0.0.2'))).toBeGreaterThan(15);
    });

    it('are left for probes, which find room whatever others hold', async () => {
      await start({ TRUST_PROXY: '1' });
      // Beyond the limit, the oldest silent connection is closed for each new one.
      const silent = await open(150);
      await eventually(() => Promise.resolve(silent.filter(({ isClosed }) => isClosed).length > 60));
      for (const path of ['/livez', '/readyz', '/readyz?from=balancer']) {
        const [probe] = await open(1);
        probe!.send(get(path));
        expect(await probe!.closed()).toMatch(/^HTTP\/1.1 200 [^]*Connection: close\r\n/);
      }
      for (const wire of wires) wire.hangUp();
      await eventually(async () => (await service.client.get('/v1/pets')).status === 200);
    });
  }));
