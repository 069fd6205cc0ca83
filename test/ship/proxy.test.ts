import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HaProxy } from '../faults/support/servers/haproxy.js';
import { eventually } from '../support/eventually.js';
import { REFUSED, send as sendTo, sendUntilRefused, STRANGER } from './support/proxy-client.js';

describe.skipIf(!HaProxy.isInstalled())('The proxy of compose.yaml', () => {
  let replica: Server;
  let proxy: HaProxy;
  /** The headers of the latest request that the proxy sent to the replica. */
  let forwarded: IncomingMessage['headers'];

  /** A stand-in for the service, which needs no key. */
  const answer = ({ headers, url }: IncomingMessage, response: ServerResponse) => {
    // The health checks of the proxy request /readyz.
    if (url === '/') forwarded = headers;
    response.writeHead(200).end();
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

  const send = (headers: Record<string, string> = {}, from = '127.0.0.1') =>
    sendTo(proxy.port, { headers, from });

  it('passes on the real address of the client, whatever the client sends, also in its log', async () => {
    await send({ 'X-Forwarded-For': '192.0.2.1', 'X-Request-Id': 'whose' }, STRANGER);
    expect(forwarded).toMatchObject({ 'x-forwarded-for': STRANGER, 'x-forwarded-proto': 'http' });
    const line = () => proxy.log.split('\n').find((one) => one.includes('"whose"'));
    await eventually(() => Promise.resolve(line() !== undefined));
    expect(JSON.parse(line()!)).toMatchObject({ requestId: 'whose', client: STRANGER, status: 200 });
  });

  it.skipIf(process.getuid?.() !== 0)('does not run as root once it serves', () => {
    const { uid } = statSync(`/proc/${proxy.pid}`);
    expect(uid).toBe(Number(execFileSync('id', ['-u', 'haproxy'], { encoding: 'utf8' })));
  });

  it('rejects requests of a source that sends too many, and of no other source', async () => {
    const { passed, refusal } = await sendUntilRefused(proxy.port, () => ({ from: STRANGER }));
    expect(passed).toBeGreaterThanOrEqual(400);
    expect(refusal).toMatchObject(REFUSED);
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
