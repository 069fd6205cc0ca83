import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { type Engine, onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import type { Program } from '../../support/program.js';
import { Wire } from '../../support/http/wire.js';

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-stop-'));
});
afterAll(() => rm(folder, { recursive: true }));

const LIVEZ = 'GET /livez HTTP/1.1\nHost: here\n\n';
const SECRET = 'bootstrap-key-for-the-test-of-the-stop';
const BODY = '{"name":"Rex","categoryId":7}';
const HEAD = `POST /v1/pets HTTP/1.1
Host: here
Authorization: Bearer ${SECRET}
Content-Type: application/json
Content-Length: ${BODY.length}
Expect: 100-continue

`;
/** Matches all that the connection received. */
const ANSWERED = /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 [^]*Connection: close\r\n/;

/** A service on a database of its own, and the connections of a test to it. */
class Stopping {
  #service: Program | undefined;
  readonly #wires: Wire[] = [];

  private constructor(private readonly database: TestDatabase) {}

  static async on(engine: Engine, { onTestFinished }: TestContext): Promise<Stopping> {
    const stopping = new Stopping(await engine.create());
    onTestFinished(() => stopping.#end());
    return stopping;
  }

  get service(): Program {
    return this.#service!;
  }

  /** @returns the port */
  async start(more: Record<string, string> = {}): Promise<number> {
    const environment = { DATABASE_URL: this.database.url, MIGRATE_ON_START: 'true', LOG_LEVEL: 'info' };
    this.#service = startBundled({ ...environment, BOOTSTRAP_API_KEY: SECRET, ...more }, folder);
    const [, port] = await this.#service.printed(/Pet Store +http:\/\/127\.0\.0\.1:(\d+)\/v1\n/);
    return Number(port);
  }

  async open(port: number, text = ''): Promise<Wire> {
    const wire = await Wire.to(port);
    this.#wires.push(wire);
    wire.send(text);
    return wire;
  }

  /** A request that is in flight until its body is sent. */
  async inFlight(port: number): Promise<Wire> {
    const wire = await this.open(port, HEAD);
    // `100 Continue`: the service waits for the body.
    await wire.answer();
    return wire;
  }

  /** One connection of each kind. */
  async everyKind(port: number) {
    const kinds = {
      inFlight: await this.inFlight(port),
      half: await this.open(port, 'POST /v1/pets HTTP/1.1\nHost: here\nContent-Length: 9\n\n{'),
      halfHead: await this.open(port, 'GET /livez HTTP/1.1\nHo'),
      silent: await this.open(port),
      idle: await this.open(port, LIVEZ),
    };
    await kinds.idle.answer();
    return kinds;
  }

  async allClosed(): Promise<void> {
    for (const wire of this.#wires) await wire.closed();
  }

  async #end(): Promise<void> {
    for (const wire of this.#wires) wire.hangUp();
    await this.#service?.stop('SIGKILL');
    await this.database.drop();
  }
}

// The service waits up to 4 s of real time for the rest of a body, so the tests run concurrently.
describe('a service that is told to stop', () =>
  onEveryEngine((engine) => {
    it('ends at once when nobody is there', async (context) => {
      const stopping = await Stopping.on(engine, context);
      await stopping.start();
      const begun = performance.now();
      expect((await stopping.service.stop()).code).toBe(0);
      expect(performance.now() - begun).toBeLessThan(2_000);
    });

    it.concurrent.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
      'by %s answers what is in flight and ends well within 5 s, whatever else is connected',
      async (signal, context) => {
        const stopping = await Stopping.on(engine, context);
        const kinds = await stopping.everyKind(await stopping.start());
        const begun = performance.now();
        const ended = stopping.service.stop(signal);
        expect((await kinds.idle.closed()).match(/HTTP/g)).toHaveLength(1);
        kinds.inFlight.send(BODY);
        const { code, output } = await ended;
        expect([code, performance.now() - begun < 5_000]).toEqual([0, true]);
        expect(output).toContain(`Stopping after ${signal}`);
        expect(await kinds.inFlight.closed()).toMatch(ANSWERED);
        await stopping.allClosed();
      },
    );

    it.concurrent('cares for no second signal', async (context) => {
      const stopping = await Stopping.on(engine, context);
      const inFlight = await stopping.inFlight(await stopping.start());
      const { service } = stopping;
      const ended = service.stop();
      await service.printed(/Stopping after/);
      void service.stop('SIGINT');
      void service.stop('SIGTERM');
      inFlight.send(BODY);
      expect(await inFlight.closed()).toMatch(ANSWERED);
      const { code, output } = await ended;
      expect([code, output.match(/Stopping after/g)]).toEqual([0, ['Stopping after']]);
    });

    it.concurrent(
      'tells balancers at once, and serves for as long as they need to notice',
      async (context) => {
        const stopping = await Stopping.on(engine, context);
        // In ms of real time: all that follows until the port is closed happens within it.
        const port = await stopping.start({ DRAIN_DELAY: '3000' });
        const { service } = stopping;
        const idle = await stopping.open(port, LIVEZ);
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
      },
    );
  }));
