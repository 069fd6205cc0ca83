import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { sqlite } from '../../support/engines.js';
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

/** A service of its own, and the connections of a test to it. */
async function startStopping({ onTestFinished }: TestContext, more: Record<string, string> = {}) {
  const database = await sqlite.create();
  const environment = { DATABASE_URL: database.url, MIGRATE_ON_START: 'true', LOG_LEVEL: 'info' };
  const service = startBundled({ ...environment, BOOTSTRAP_API_KEY: SECRET, ...more }, folder);
  const wires: Wire[] = [];
  onTestFinished(async () => {
    for (const wire of wires) wire.hangUp();
    await service.stop('SIGKILL');
    await database.drop();
  });
  const port = Number((await service.printed(/Pet Store +http:\/\/127\.0\.0\.1:(\d+)\/v1\n/))[1]);
  const open = async (text = '') => {
    const wire = await Wire.to(port);
    wires.push(wire);
    wire.send(text);
    return wire;
  };
  /** A request that is in flight until its body is sent. */
  const inFlight = async () => {
    const wire = await open(HEAD);
    // `100 Continue`: the service waits for the body.
    await wire.answer();
    return wire;
  };
  return { service, wires, origin: `http://127.0.0.1:${port}`, open, inFlight };
}

// On MariaDB it is told in test/faults/measuring/stop.test.ts. It waits up to 4 s of real time for the rest of a body, so the
// tests run concurrently.
describe('a service that is told to stop', () => {
  it.concurrent.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s answers what is in flight and ends soon, whatever else is connected',
    async (signal, context) => {
      const { service, wires, open, inFlight } = await startStopping(context);
      const served = await inFlight();
      for (const unfinished of ['POST /v1/pets HTTP/1.1\nHost: here\nContent-Length: 9\n\n{', 'GET /li', ''])
        await open(unfinished);
      const idle = await open(LIVEZ);
      await idle.answer();
      const begun = performance.now();
      const ended = service.stop(signal);
      expect((await idle.closed()).match(/HTTP/g)).toHaveLength(1);
      served.send(BODY);
      const { code, output } = await ended;
      // On a busy machine; within 5 s it ends in test/faults/measuring/stop.test.ts.
      expect([code, performance.now() - begun < 15_000]).toEqual([0, true]);
      expect(output).toContain(`Stopping after ${signal}`);
      expect(await served.closed()).toMatch(ANSWERED);
      for (const wire of wires) await wire.closed();
    },
  );

  it.concurrent('cares for no second signal', async (context) => {
    const { service, inFlight } = await startStopping(context);
    const served = await inFlight();
    const ended = service.stop();
    await service.printed(/Stopping after/);
    void service.stop('SIGINT');
    void service.stop('SIGTERM');
    served.send(BODY);
    expect(await served.closed()).toMatch(ANSWERED);
    const { code, output } = await ended;
    expect([code, output.match(/Stopping after/g)]).toEqual([0, ['Stopping after']]);
  });

  it.concurrent('tells balancers at once, and serves for as long as they need to notice', async (context) => {
    // Longer than the test takes, which kills it in the end; what comes after that is tested with the drain.
    const { service, origin, open } = await startStopping(context, { DRAIN_DELAY: '30000' });
    const idle = await open(LIVEZ);
    await idle.answer();
    void service.stop();
    await service.printed(/Stopping after/);
    const ready = await fetch(`${origin}/readyz`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    expect(ready.headers.get('connection')).toBe('close');
    expect(await ready.json()).toMatchObject({ code: 'shutting_down', status: 503 });
    const alive = await fetch(`${origin}/livez`);
    expect([alive.status, alive.headers.get('connection')]).toEqual([200, 'close']);
    idle.send(LIVEZ);
    expect((await idle.closed()).match(/HTTP\/1.1 200 /g)).toHaveLength(2);
  });
});
