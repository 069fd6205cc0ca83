import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HaProxy } from '../faults/support/servers/haproxy.js';
import { eventually } from '../support/eventually.js';
import { NameServer } from './support/name-server.js';
import { REFUSED, send, sendUntilRefused } from './support/proxy-client.js';

describe.skipIf(!HaProxy.isInstalled())('The proxy of deploy/kubernetes', () => {
  let replica: Server;
  let names: NameServer;
  let proxy: HaProxy;
  /** The headers of the latest request of a client, and the address of the replica that got it. */
  let forwarded: IncomingMessage['headers'];
  let served: string | undefined;

  /** A stand-in for the service, which rejects every key. */
  const answer = ({ headers, url, socket }: IncomingMessage, response: ServerResponse) => {
    // The health checks of the proxy request /readyz.
    if (url === '/') [forwarded, served] = [headers, socket.localAddress];
    response.writeHead(headers.authorization === undefined ? 200 : 401).end();
  };

  beforeEach(async () => {
    replica = createServer(answer).listen(0, '0.0.0.0');
    await once(replica, 'listening');
    const { port } = replica.address() as AddressInfo;
    names = await NameServer.start('127.0.0.3', '127.0.0.4');
    const ask = (text: string) =>
      text.replace('parse-resolv-conf', `nameserver test 127.0.0.1:${names.port}`);
    const variables = { REPLICAS: `pods.test:${port}`, BEHIND_PROXY: '1', MAX_REQUESTS_PER_SOURCE: '400' };
    proxy = await HaProxy.start([port, port], ask, variables);
  });
  afterEach(async () => {
    await proxy.stop();
    names.stop();
    replica.close();
    replica.closeAllConnections();
  });

  const from = (client: string, headers: Record<string, string> = {}) => ({
    headers: { 'X-Forwarded-For': `192.0.2.66, ${client}`, 'X-Forwarded-Proto': 'https', ...headers },
  });

  it('sends requests to all addresses of the name, and to new ones', async () => {
    const seen = new Set<string>();
    const sees = (...addresses: string[]) =>
      eventually(async () => {
        await send(proxy.port, from('192.0.2.1'));
        seen.add(served!);
        return addresses.every((address) => seen.has(address));
      });
    await sees('127.0.0.3', '127.0.0.4');
    names.addresses = ['127.0.0.4', '127.0.0.5'];
    await sees('127.0.0.5');
    names.addresses = ['127.0.0.5'];
    await eventually(async () => (await proxy.replicasUp()) === 1);
    await send(proxy.port, from('192.0.2.1'));
    expect(served).toBe('127.0.0.5');
  });

  it('passes on the last address that the gateway reports, and its scheme, also in its log', async () => {
    await send(
      proxy.port,
      from('192.0.2.1', { 'X-Request-Id': 'whose', 'X-Forwarded-Host': 'evil.example' }),
    );
    expect(forwarded).toMatchObject({ 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' });
    expect(forwarded).not.toHaveProperty('x-forwarded-host');
    const line = () => proxy.log.split('\n').find((one) => one.includes('"whose"'));
    await eventually(() => Promise.resolve(line() !== undefined));
    expect(JSON.parse(line()!)).toMatchObject({ requestId: 'whose', client: '192.0.2.1', status: 200 });
  });

  it('limits the client, and no other client of the same gateway: guesses at keys', async () => {
    const guess = (i: number) => from('192.0.2.1', { Authorization: `Bearer bad-${i}` });
    const { passed, refusal } = await sendUntilRefused(proxy.port, guess);
    expect(passed).toBe(101);
    expect(refusal).toMatchObject(REFUSED);
    expect((await send(proxy.port, from('192.0.2.2', { Authorization: 'Bearer other' }))).status).toBe(401);
  });

  it('limits the client, and no other client of the same gateway: requests', async () => {
    const { passed, refusal } = await sendUntilRefused(proxy.port, () => from('192.0.2.1'));
    expect(passed).toBe(400);
    expect(refusal).toMatchObject(REFUSED);
    expect((await send(proxy.port, from('192.0.2.2'))).status).toBe(200);
  });
});
