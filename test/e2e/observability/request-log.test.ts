import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { existing, sqlite, type TestDatabase } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Recorder } from '../../support/site/recorder.js';
import { type Service, startService } from '../../support/service.js';

const SECRET = 'bootstrap-key-for-the-test-of-the-log';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('the log of a service', () => {
  const log = new Recorder();
  let database: TestDatabase;
  let service: Service;
  beforeAll(async () => {
    database = await sqlite.create();
    const environment = { BOOTSTRAP_API_KEY: SECRET, LOG_LEVEL: 'debug' };
    service = await startService(existing(database), { environment, log });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const send = (id: string, path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${service.port}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${SECRET}`, 'X-Request-Id': id, ...(init.headers as object) },
    });
  const linesOf = (id: string) => log.text.split('\n').filter((line) => line.includes(`"requestId":"${id}"`));
  const lineOf = async (id: string) => {
    await eventually(async () => linesOf(id).length > 0);
    expect(linesOf(id)).toHaveLength(1);
    return JSON.parse(linesOf(id)[0]!) as Record<string, unknown>;
  };

  it('has one line for a request: the caller, the operation and the result', async () => {
    const answer = await send('good-1', '/v1/pets?limit=5', {
      headers: { traceparent: `00-${TRACE}-${SPAN}-01`, 'X-Forwarded-For': '192.0.2.7' },
    });
    expect(await lineOf('good-1')).toEqual({
      level: 30,
      time: expect.any(Number) as number,
      context: 'Request',
      requestId: 'good-1',
      traceId: TRACE,
      keyId: expect.stringMatching(/^\d+$/) as string,
      client: '127.0.0.1',
      operation: 'listPets',
      method: 'GET',
      status: 200,
      duration: expect.any(Number) as number,
      bytes: (await answer.text()).length,
      msg: 'GET listPets 200',
    });
    const [, traceId, spanId] = answer.headers.get('traceparent')!.split('-');
    expect([traceId, spanId === SPAN]).toEqual([TRACE, false]);
  });

  it.each([
    ['none', '/v1/nowhere', 404],
    ['none', `/${'x'.repeat(9_000)}`, 414],
    ['docs', '/docs/errors', 200],
    ['getPet', '/v1/pets/404404', 404],
  ])('names the operation of a request: %s', async (operation, path, status) => {
    const id = `name-${operation}-${status}`;
    await (await send(id, path)).text();
    expect(await lineOf(id)).toMatchObject({ level: 30, operation, status });
  });

  it.each([
    ['HEAD', '/v1/pets', 200, {}],
    ['GET', '/v1/pets', 304, { 'If-None-Match': '*' }],
    ['OPTIONS', '/v1/pets', 204, {}],
  ])('counts no bytes if none are sent: %s %s %i', async (method, path, status, headers) => {
    const id = `empty-${status}`;
    await send(id, path, { method, headers });
    expect(await lineOf(id)).toMatchObject({ status, bytes: 0 });
  });

  it('contains probes at the level debug', async () => {
    await (await send('probe', '/livez?from=balancer')).text();
    expect(await lineOf('probe')).toMatchObject({ level: 20, operation: 'livez', status: 200 });
  });

  it('has one complete line for a failure too, with its cause', async () => {
    await database.execute('ALTER TABLE orders RENAME COLUMN status TO state');
    await send('failure', '/v1/store/orders');
    expect(await lineOf('failure')).toMatchObject({
      level: 50,
      context: 'Error',
      operation: 'listOrders',
      method: 'GET',
      status: 500,
      bytes: expect.any(Number) as number,
      keyId: expect.any(String) as string,
      err: { message: expect.stringMatching(/orders/) as string, stack: expect.any(String) as string },
    });
  });

  it('names the client that a trusted proxy sends', async () => {
    const other = await startService(sqlite, { environment: { TRUST_PROXY: '1' }, log });
    await fetch(`http://127.0.0.1:${other.port}/v1/nowhere`, {
      headers: { 'X-Forwarded-For': '203.0.113.5, 192.0.2.7' },
    });
    await log.wrote(/"client":"192\.0\.2\.7"/);
    await other.stop();
  });
});
