import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HaProxy } from '../faults/support/servers/haproxy.js';
import { eventually } from '../support/eventually.js';

describe.skipIf(!HaProxy.isInstalled())('The proxy of compose.yaml', () => {
  const STRANGER = '127.0.0.2';
  let replica: Server;
  let proxy: HaProxy;
  /** The address of the latest client that the proxy sent to the replica. */
  let forwarded: string | undefined;

  /** A stand-in for the service, for which each key is valid whose name begins with "good". */
  const answer = ({ headers, url }: IncomingMessage, response: ServerResponse) => {
    // The health checks of the proxy request /readyz.
    if (url === '/') forwarded = headers['x-forwarded-for'] as string | undefined;
    const isPublic = !url!.startsWith('/v1/');
    response.writeHead(isPublic || headers.authorization?.startsWith('Bearer good') ? 200 : 401).end();
  };

  beforeEach(async () => {
    replica = createServer(answer).listen(0, '127.0.0.1');
    await once(replica, 'listening');
    const service = (replica.address() as AddressInfo).port;
    const limits = { MAX_CONNECTIONS_PER_SOURCE: '20', MAX_REQUESTS_PER_SOURCE: '400' };
    proxy = await HaProxy.start([service, service], undefined, limits);
  });
  afterEach(async () => {
    await proxy.stop();
    replica.close();
    replica.closeAllConnections();
  });

  /** Sends a request on a new connection. Linux treats all of 127.0.0.0/8 as local. */
  const send = async (
    { key, ...headers }: Record<string, string> = {},
    localAddress = '127.0.0.1',
    path = key === undefined ? '/' : '/v1/pets',
  ) => {
    if (key !== undefined) headers['Authorization'] = `Bearer ${key}`;
    const sent = request({
      host: '127.0.0.1',
      port: proxy.port,
      path,
      localAddress,
      headers,
      agent: false,
    }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  /** Sends requests of the stranger, one after another, until one is rejected. @returns how many passed, and the rejection */
  const sendUntilRefused = async (headersOf: (i: number) => Record<string, string>) => {
    for (let passed = 0; ; passed++) {
      const refusal = await send(headersOf(passed), STRANGER);
      if (refusal.status === 429) return { passed, refusal };
    }
  };
  const refused = {
    status: 429,
    headers: { 'retry-after': '10', 'content-type': 'application/json; charset=utf-8' },
    body: expect.stringMatching(/^\{"code":"too_many_requests","message":".+","status":429\}$/) as string,
  };

  it('passes on the real address of the client, whatever the client sends, also in its log', async () => {
    await send({ 'X-Forwarded-For': '192.0.2.1', 'X-Request-Id': 'whose' }, STRANGER);
    expect(forwarded).toBe(STRANGER);
    const line = () => proxy.log.split('\n').find((one) => one.includes('"whose"'));
    await eventually(() => Promise.resolve(line() !== undefined));
    expect(JSON.parse(line()!)).toMatchObject({ requestId: 'whose', client: STRANGER, status: 200 });
  });

  it('rejects new keys of a source that guesses, but neither its valid keys nor keys of another source', async () => {
    expect((await send({ key: 'good' }, STRANGER)).status).toBe(200);
    const { passed, refusal } = await sendUntilRefused((i) => ({ key: `bad-${i}` }));
    expect(passed).toBeGreaterThan(100);
    expect(refusal).toMatchObject(refused);
    expect(refusal.body).toContain('API keys');
    expect(await send({ key: 'bad-0' }, STRANGER)).toMatchObject(refused);
    expect(await send({ key: 'good-and-new' }, STRANGER)).toMatchObject(refused);
    expect((await send({ key: 'good' }, STRANGER)).status).toBe(200);
    expect((await send({}, STRANGER)).status).toBe(200);
    expect((await send({ key: 'good-and-new' })).status).toBe(200);
  });

  it('does not treat a key as valid because it was sent with a request that needs no key', async () => {
    let passed = 0;
    for (; (await send({ key: `bad-${passed}` }, STRANGER)).status === 401; passed++)
      expect((await send({ key: `bad-${passed + 1}` }, STRANGER, '/openapi.json')).status).toBe(200);
    expect(passed).toBeLessThan(150);
  });

  it('does not limit an address from which a revoked key is repeated, not even for its new key', async () => {
    for (let i = 0; i < 150; i++) expect((await send({ key: 'revoked' }, STRANGER)).status).toBe(401);
    expect((await send({ key: 'good' }, STRANGER)).status).toBe(200);
  });

  it.skipIf(process.getuid?.() !== 0)('does not run as root once it serves', () => {
    const { uid } = statSync(`/proc/${proxy.pid}`);
    expect(uid).toBe(Number(execFileSync('id', ['-u', 'haproxy'], { encoding: 'utf8' })));
  });

  it('rejects requests of a source that sends too many, and of no other source', async () => {
    const { passed, refusal } = await sendUntilRefused(() => ({}));
    expect(passed).toBeGreaterThanOrEqual(400);
    expect(refusal).toMatchObject(refused);
    expect((await send()).status).toBe(200);
  });

  it('rejects connections of a source beyond its share, and of no other source', async () => {
    const sockets = Array.from({ length: 30 }, () =>
      connect({ host: '127.0.0.1', port: proxy.port, localAddress: STRANGER }).on('error', () => undefined),
    );
    let closed = 0;
    for (const socket of sockets) socket.on('close', () => (closed += 1));
    await eventually(() => Promise.resolve(closed === 10));
    expect((await send()).status).toBe(200);
    await expect(send({}, STRANGER)).rejects.toThrow();
    for (const socket of sockets) socket.destroy();
  });
});
