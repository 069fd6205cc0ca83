import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build, startBuilt } from '../support/built-service.js';
import { mariaDb, onEveryEngine, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import type { Program } from '../support/program.js';
import { Wire } from '../support/wire.js';

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-stop-'));
});
afterAll(() => rm(folder, { recursive: true }));

const LIVEZ = 'GET /livez HTTP/1.1\nHost: here\n\n';
/** Bad keys are answered later and later, so the last of these is in flight for more than a second. */
const GUESSES = 16;
const guess = (i: number) => `GET /v1/pets HTTP/1.1\nHost: here\nAuthorization: Bearer guess-${i}\n\n`;

describe('a service that is told to stop', () =>
  onEveryEngine((engine) => {
    let database: TestDatabase;
    let service: Program;
    let wires: Wire[];
    beforeEach(async () => {
      wires = [];
      database = await engine.create();
    });
    afterEach(async () => {
      for (const wire of wires) wire.hangUp();
      await service.stop('SIGKILL');
      await database.drop();
    });

    const start = async (more: Record<string, string> = {}) => {
      const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true', LOG_LEVEL: 'info' };
      service = startBuilt({ ...environment, ...more }, folder);
      const [, port] = await service.printed(/Pet Store +http:\/\/127\.0\.0\.1:(\d+)\/v1\n/);
      return Number(port);
    };
    const open = async (port: number, text = '') => {
      const wire = await Wire.to(port);
      wires.push(wire);
      wire.send(text);
      return wire;
    };
    /** One connection of each kind; the first is in flight. */
    const everyKind = async (port: number) => {
      const guesses: Wire[] = [];
      for (let i = 0; i < GUESSES; i++) guesses.push(await open(port, guess(i)));
      const kinds = {
        inFlight: guesses.at(-1)!,
        half: await open(port, 'POST /v1/pets HTTP/1.1\nHost: here\nContent-Length: 9\n\n{'),
        halfHead: await open(port, 'GET /livez HTTP/1.1\nHo'),
        silent: await open(port),
        idle: await open(port, LIVEZ),
      };
      await kinds.idle.answer();
      return kinds;
    };

    it.each(['SIGTERM', 'SIGINT'] as const)(
      'by %s answers what is in flight and ends well within 5 s, whatever else is connected',
      async (signal) => {
        const kinds = await everyKind(await start());
        const begun = performance.now();
        const { code, output } = await service.stop(signal);
        expect([code, performance.now() - begun < 5_000]).toEqual([0, true]);
        expect(output).toContain(`Stopping after ${signal}`);
        expect(await kinds.inFlight.closed()).toMatch(/^HTTP\/1.1 401 [^]*Connection: close\r\n/);
        expect((await kinds.idle.closed()).match(/HTTP/g)).toHaveLength(1);
        for (const wire of wires) await wire.closed();
      },
    );

    it('ends at once when nobody is there', async () => {
      await start();
      const begun = performance.now();
      expect((await service.stop()).code).toBe(0);
      expect(performance.now() - begun).toBeLessThan(2_000);
    });

    it('cares for no second signal', async () => {
      const kinds = await everyKind(await start());
      const ended = service.stop();
      await service.printed(/Stopping after/);
      void service.stop('SIGINT');
      void service.stop('SIGTERM');
      expect(await kinds.inFlight.closed()).toMatch(/^HTTP\/1.1 401 [^]*Connection: close\r\n/);
      const { code, output } = await ended;
      expect([code, output.match(/Stopping after/g)]).toEqual([0, ['Stopping after']]);
    });

    it('tells balancers at once, and serves for as long as they need to notice', async () => {
      const port = await start({ DRAIN_DELAY: '3000' });
      const idle = await open(port, LIVEZ);
      await idle.answer();
      const ended = service.stop();
      await service.printed(/Stopping after/);
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
      expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
      expect(ready.headers.get('connection')).toBe('close');
      expect(await ready.json()).toMatchObject({ code: 'shutting_down', status: 503 });
      const alive = await fetch(`http://127.0.0.1:${port}/livez`);
      expect([alive.status, alive.headers.get('connection')]).toEqual([200, 'close']);
      expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
      idle.send(LIVEZ);
      expect((await idle.closed()).match(/HTTP\/1.1 200 /g)).toHaveLength(2);
      await eventually(() =>
        fetch(`http://127.0.0.1:${port}/livez`).then(
          () => false,
          () => true,
        ),
      );
      expect((await ended).code).toBe(0);
    });

    const inEachProcess = async () => {
      const port = await start({ WORKERS: '2' });
      await eventually(() => Promise.resolve(service.output.match(/Listening on/g)?.length === 2));
      const kinds = [await everyKind(port), await everyKind(port)];
      const begun = performance.now();
      const { code } = await service.stop();
      expect([code, performance.now() - begun < 5_000]).toEqual([0, true]);
      for (const { inFlight } of kinds)
        expect(await inFlight.closed()).toMatch(/^HTTP\/1.1 401 [^]*Connection: close\r\n/);
      for (const wire of wires) await wire.closed();
    };
    // SQLite's file belongs to one process; nothing is left out there.
    if (engine === mariaDb) it('does so in each of its processes', inEachProcess);
  }));
