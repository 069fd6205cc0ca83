import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { build, startBundled } from '../../support/built-service.js';
import { onEveryEngine, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import type { Program } from '../../support/program.js';
import { type CollectedSpan, TraceCollector } from '../../support/site/trace-collector.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${SPAN}-01`;
const ANSWERED = /^00-([\da-f]{32})-([\da-f]{16})-0[0-3]$/;

let folder: string;
beforeAll(async () => {
  build();
  folder = await mkdtemp(join(tmpdir(), 'petstore-traces-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('traces', () =>
  onEveryEngine((engine) => {
    let collector: TraceCollector;
    let database: TestDatabase;
    let service: Program | undefined;
    /** Shared by all tests that need no special configuration. */
    const usual = {} as {
      collector: TraceCollector;
      database: TestDatabase;
      service: Program;
      send: Awaited<ReturnType<typeof ready>>;
    };
    beforeAll(async () => {
      usual.collector = await TraceCollector.start();
      usual.database = await engine.create();
      const soon = environment({ OTEL_BSP_SCHEDULE_DELAY: '100' }, usual.collector, usual.database);
      usual.service = startBundled(soon, folder);
      usual.send = await ready(usual.service);
      await usual.send('/v1/pets', add);
    });
    afterAll(async () => {
      await usual.service.stop('SIGKILL');
      await usual.collector.close();
      await usual.database.drop();
    });
    beforeEach(async () => {
      collector = await TraceCollector.start();
      database = await engine.create();
    });
    afterEach(async () => {
      await service?.stop('SIGKILL');
      service = undefined;
      await collector.close();
      await database.drop();
    });

    const ready = async (service: Program) => {
      const [, origin] = await service.printed(/Pet Store +(http:\S+)\/v1\n/);
      const [, secret] = await service.printed(/(psk_test_\w{46})/);
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      return (target: string, more: RequestInit = {}, given: Record<string, string> = {}) =>
        fetch(origin + target, { ...more, headers: { ...headers, ...given } });
    };
    const environment = (more: Record<string, string> = {}, to = collector, on = database) => ({
      DATABASE_URL: on.url,
      MIGRATE_ON_START: 'true',
      PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: to.endpoint,
      ...more,
    });
    const startTraced = (more?: Record<string, string>) => {
      service = startBundled(environment(more), folder);
      return ready(service);
    };
    const add = { method: 'POST', body: JSON.stringify({ name: 'Rex the secret', categoryId: 7 }) };
    const engineName = engine.name === 'SQLite' ? 'sqlite' : 'mysql';

    it('follow a request from its sender to its use case and its statement', async () => {
      const { send, collector } = usual;
      const answer = await send('/v1/pets?limit=7', {}, { traceparent, tracestate: 'shop=window' });
      const [, traceId, spanId] = ANSWERED.exec(answer.headers.get('traceparent')!)!;
      expect(traceId).toBe(TRACE);
      expect(spanId).not.toBe(SPAN);
      await answer.text();
      const find = async (is: (span: CollectedSpan) => boolean) => {
        await eventually(() => Promise.resolve(collector.spans.some(is)));
        return collector.spans.find(is)!;
      };

      const request = await find((span) => span.spanId === spanId);
      expect(request).toMatchObject({
        name: 'GET /v1/pets',
        traceId: TRACE,
        parentSpanId: SPAN,
        service: 'petstore',
      });
      expect(request.attributes).toMatchObject({
        'http.request.method': 'GET',
        'http.route': '/v1/pets',
        'url.path': '/v1/pets',
        'url.scheme': 'http',
        'http.response.status_code': 200,
      });
      const useCase = await find(({ name, traceId }) => name === 'PetCatalog.list' && traceId === TRACE);
      expect(useCase).toMatchObject({ traceId: TRACE, parentSpanId: spanId });
      const statement = await find((span) => span.parentSpanId === useCase.spanId);
      expect(statement).toMatchObject({ name: 'SELECT pets', traceId: TRACE });
      expect(statement.attributes).toMatchObject({
        'db.system.name': engineName,
        'db.query.text': expect.stringMatching(/^SELECT .* FROM pets .*\?/s) as string,
      });
    });

    it('name the route, not the pet, and tell no secret and no value', async () => {
      const send = await startTraced({ OTEL_SERVICE_NAME: 'zoo' });
      await send('/v1/pets', add);
      expect((await send('/v1/pets/404')).status).toBe(404);
      await send('/v1/pets?status=what-nobody-may-see');
      const { output } = await service!.stop();
      const [secret] = /psk_test_\w{46}/.exec(output)!;

      const [fetched] = collector.named('GET /v1/pets/{petId}');
      expect(fetched).toMatchObject({ service: 'zoo', failed: false, parentSpanId: undefined });
      expect(fetched!.attributes).toMatchObject({ 'http.response.status_code': 404 });
      expect(collector.named('PetCatalog.get')[0]).toMatchObject({
        failed: false,
        attributes: { 'error.type': 'pet_not_found' },
      });
      expect(collector.named('INSERT pets')).toHaveLength(1);
      const all = JSON.stringify(collector.spans);
      for (const hidden of [secret, 'what-nobody-may-see', 'the secret']) expect(all).not.toContain(hidden);
    });

    it('begin anew for who brings none, or one that is not valid', async () => {
      const { send } = usual;
      for (const given of [{}, { traceparent: traceparent.toUpperCase() }]) {
        const answer = await send('/v1/pets', {}, given as Record<string, string>);
        const [, traceId] = ANSWERED.exec(answer.headers.get('traceparent')!)!;
        expect(traceId).not.toBe(TRACE);
      }
    });

    it('say which statement several requests share', async () => {
      const { send, collector } = usual;
      const shared = () => collector.named('SELECT pets').find(({ links }) => links.length > 0);
      await eventually(async () => {
        await Promise.all(Array.from({ length: 20 }, (_, i) => send(`/v1/pets?limit=${i + 1}`)));
        return shared() !== undefined;
      });
      const { links, traceId, parentSpanId } = shared()!;
      for (const led of [{ traceId, spanId: parentSpanId }, ...links]) {
        await eventually(async () => {
          const list = collector.named('PetCatalog.list').find(({ spanId }) => spanId === led.spanId);
          expect(list?.traceId).toBe(led.traceId);
        });
      }
    });

    it('are off: nothing is sent, and only who brings one is answered with one', async () => {
      const send = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
      expect((await send('/v1/pets')).headers.get('traceparent')).toBeNull();
      for (const wrong of [
        `ff-${TRACE}-${SPAN}-01`,
        traceparent.toUpperCase(),
        `00-${'0'.repeat(32)}-${SPAN}-01`,
      ]) {
        expect((await send('/v1/pets', {}, { traceparent: wrong })).headers.get('traceparent')).toBeNull();
      }
      for (const target of ['/v1/pets', '/v1/pets/404', '/nowhere']) {
        const answer = await send(target, {}, { traceparent });
        const [, traceId, spanId] = ANSWERED.exec(answer.headers.get('traceparent')!)!;
        expect([traceId, spanId === SPAN]).toEqual([TRACE, false]);
      }
    });

    it('can be switched off by the variable of OpenTelemetry', async () => {
      const send = await startTraced({ OTEL_SDK_DISABLED: 'true' });
      expect((await send('/v1/pets')).headers.get('traceparent')).toBeNull();
      await service!.stop();
      expect(collector.requests).toBe(0);
    });

    it('hold up nobody while the collector is away', async () => {
      const send = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
      expect((await send('/v1/pets')).status).toBe(200);
      expect((await service!.stop()).code).toBe(0);
    });
  }));

it('what cannot be configured is refused, and said', async () => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', DATABASE_URL: 'sqlite::memory:' };
  const program = startBundled({ ...environment, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, folder);
  expect(await program.end()).toMatchObject({
    code: 1,
    output: 'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/json\n',
  });
});
