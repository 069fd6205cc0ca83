import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onEveryEngine } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { HeldRequests } from '../support/held-requests.js';
import { rawRequest } from '../support/raw-request.js';
import { type Service, startService } from '../support/service.js';
import { Wire } from '../support/wire.js';

/** In ms: what is promised, and a little for a machine that is busy. */
const LONGEST = 7_000 + 500;

// What the server allows is real time, some seconds for each: all wait for it at once.
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

describe('connections beyond the number that a service keeps', () =>
  onEveryEngine((engine) => {
    it('are closed at once, and those that are there go on', async () => {
      const service = await startService(engine, { environment: { MAX_CONNECTIONS: '10' } });
      const wires = await Promise.all(Array.from({ length: 30 }, () => Wire.to(service.port)));
      const open = () => wires.filter(({ isClosed }) => !isClosed);
      await eventually(() => Promise.resolve(open().length <= 10));
      expect(open().length).toBeGreaterThan(5); // what the start left over counts as well
      for (const wire of open()) {
        wire.send('GET /livez HTTP/1.1\nHost: here\nConnection: close\n\n');
        expect(await wire.answer()).toMatch(/^HTTP\/1.1 200 /);
      }
      for (const wire of wires) wire.hangUp();
      await eventually(async () => (await service.client.get('/v1/pets')).status === 200);
      await service.stop();
    });
  }));
