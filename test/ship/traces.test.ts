import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBuilt } from '../support/built-service.js';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { keepFolder } from '../support/processes/keeper.js';
import { TraceCollector } from '../support/site/trace-collector.js';
import { installByLock } from './support/install.js';

const OTEL = join(import.meta.dirname, '../../deploy/otel');
const SECRET = 'bootstrap-key-for-the-test-of-traces';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const CANARY = 'canary';
/** The latest end of a stop, in ms: 500 for a collector that is away, and what the service itself needs on a busy machine. */
const STOP_MS = 2_500;

describe.skipIf(!MariaDbServer.isInstalled())('Traces of a service that loads deploy/otel', () => {
  let folder: string;
  let mariaDb: MariaDbServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-traces-'));
    keepFolder(folder);
    for (const file of ['package.json', 'tracing.mjs', 'start.mjs', 'variables.mjs'])
      cpSync(join(OTEL, file), join(folder, file));
    symlinkSync(join(await installByLock(OTEL), 'node_modules'), join(folder, 'node_modules'));
    mariaDb = await MariaDbServer.start();
    await mariaDb.query('CREATE DATABASE petstore');
  });
  afterAll(async () => {
    await mariaDb.stop();
    await rm(folder, { recursive: true });
  });

  const start = async (environment: Record<string, string>) => {
    const service = startBuilt(
      {
        DATABASE_URL: mariaDb.url('petstore'),
        MIGRATE_ON_START: 'true',
        BOOTSTRAP_API_KEY: SECRET,
        NODE_OPTIONS: `--import ${join(folder, 'tracing.mjs')}`,
        ...environment,
      },
      folder,
    );
    const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
    const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' };
    const send = async (path: string, more: Record<string, string> = {}, body?: object) => {
      const answer = await fetch(`${origin}/v1${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...headers, ...more },
        ...(body && { body: JSON.stringify(body) }),
      });
      await answer.text();
      return answer;
    };
    return { service, send };
  };

  it('lead from the client through HTTP and Express to MySQL, and contain nothing confidential', async () => {
    const collector = await TraceCollector.start();
    const { service, send } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    const own = { traceparent: `00-${TRACE}-${SPAN}-01`, 'Idempotency-Key': `${CANARY}-of-a-key` };
    const created = await send('/pets', own, { name: `${CANARY} of a name`, categoryId: 7 });
    expect([created.status, created.headers.get('traceparent')]).toEqual([
      201,
      expect.stringMatching(new RegExp(`^00-${TRACE}-`)),
    ]);
    expect((await send(`/pets?status=${CANARY}`)).status).toBe(400);
    expect((await send(`/pets?${CANARY}=1`)).status).toBe(400);
    expect((await send(`/pets/${CANARY}`)).status).toBe(404);
    expect((await send(`/${CANARY}`)).status).toBe(404);
    const stranger = { Authorization: `Bearer ${CANARY}-of-a-wrong-key-that-is-long-enough` };
    expect((await send('/pets', { ...stranger, 'User-Agent': CANARY })).status).toBe(401);
    // The latest spans are sent when it stops.
    expect((await service.stop()).code).toBe(0);

    const trace = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const of = (instrumentation: string) =>
      trace.filter(({ scope }) => scope === `@opentelemetry/instrumentation-${instrumentation}`);
    const [request] = of('http');
    expect(request).toMatchObject({
      name: 'POST /v1/pets',
      parentSpanId: SPAN,
      service: 'petstore',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/pets',
        'http.response.status_code': 201,
      },
    });
    expect(of('express')).toEqual([expect.objectContaining({ parentSpanId: request!.spanId })]);
    expect(of('mysql2')).toContainEqual(
      expect.objectContaining({
        name: 'INSERT',
        attributes: expect.objectContaining({
          'db.system.name': 'mysql',
          'db.query.text': expect.stringMatching(/^INSERT INTO `?pets`?.*\?/s),
        }),
      }),
    );
    const ids = new Set([SPAN, ...trace.map(({ spanId }) => spanId)]);
    expect(trace.filter(({ parentSpanId }) => !ids.has(parentSpanId!))).toEqual([]);
    expect(collector.spans.filter(({ name }) => name.startsWith('GET'))).toHaveLength(5);
    const hidden = [CANARY, SECRET, '127.0.0.1', 'user_agent', 'url.path', 'url.query'];
    expect(hidden.filter((text) => collector.received.includes(text))).toEqual([]);
    await collector.close();
  });

  it.each(['is away', 'never responds'])('delay no request if the collector %s', async (what) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    if (what === 'is away') silent.close();
    const { service, send } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_BSP_SCHEDULE_DELAY: '10',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
    });
    for (let i = 0; i < 20; i++) expect((await send('/pets')).status).toBe(200);
    await service.printed(/"context":"Tracing"/);
    await send('/pets');
    const begun = performance.now();
    const { code, output } = await service.stop();
    expect([code, performance.now() - begun < STOP_MS]).toEqual([0, true]);
    expect(output.match(/"context":"Tracing"/g)).toHaveLength(1);
    silent.close();
  });
});
