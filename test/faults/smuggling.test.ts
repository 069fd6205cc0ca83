import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { SECRET } from './support/load/caller.js';
import { sqlite, type TestDatabase } from '../support/engines.js';
import { note } from './support/note.js';
import { HaProxy } from './support/servers/haproxy.js';
import { Replica } from './support/servers/replica.js';

const KEY = `Authorization: Bearer ${SECRET}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const HIDDEN = `GET /v1/pets?status=sold HTTP/1.1\r\nHost: a\r\nX-Request-Id: smuggled\r\n${KEY}\r\n`;
const SIZE = HIDDEN.length.toString(16);
const post = (headers: string, body: string) =>
  `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${KEY}${JSON_TYPE}${headers}\r\n${body}`;

/** Spellings of Transfer-Encoding that one parser accepts and another ignores. */
const CODINGS = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding\t: chunked',
  ' Transfer-Encoding: chunked',
  'Transfer-Encoding:\r\n chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: \u000bchunked',
  'Transfer-Encoding: chunked\u0000',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: ,chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer_Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'Transfer-Encoding:',
  'Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked',
];
const LENGTHS = ['0\r\nContent-Length: ALL', '0, ALL', '+ALL', '0xALL', 'ALL\u000b', '0 ALL', '\r\n ALL', ''];
const CHUNKS = [
  `0x${SIZE}\r\n${HIDDEN}\r\n0\r\n\r\n`,
  `-1\r\n${HIDDEN}\r\n0\r\n\r\n`,
  `100000000${SIZE}0000000000000\r\n${HIDDEN}\r\n0\r\n\r\n`,
  `0\n\n${HIDDEN}`,
  `2;x\n${SIZE}\r\n{}\r\n0\r\n\r\n${HIDDEN}`,
  `1\r\n{}\r\n0\r\n\r\n${HIDDEN}`,
  `0\r\nX : y\r\n\r\n${HIDDEN}`,
];
/** Requests whose body a server may overlook, so that it reads the body as another request. */
const HEADS = [
  'GET /livez HTTP/1.1\r\n',
  'HEAD /livez HTTP/1.1\r\n',
  'OPTIONS /v1/pets HTTP/1.1\r\n',
  'POST /nowhere HTTP/1.1\r\n',
  'POST /v1/pets HTTP/1.1\r\nExpect: 100-continue\r\n',
  'GET /livez HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
  'GET /livez HTTP/1.1\r\nConnection: Content-Length\r\n',
];

/** RFC 9112 section 11.2: messages whose end two parsers may see in different places. */
const SHAPES = [
  ...CODINGS.flatMap((coding) => [
    post(`Content-Length: ${5 + HIDDEN.length}\r\n${coding}\r\n`, `0\r\n\r\n${HIDDEN}`),
    post(`${coding}\r\nContent-Length: ${SIZE.length + 2}\r\n`, `${SIZE}\r\n${HIDDEN}\r\n0\r\n\r\n`),
    post(`${coding}\r\n`, `0\r\n\r\n${HIDDEN}`),
  ]),
  ...LENGTHS.map((length) =>
    post(`Content-Length: ${length.replace('ALL', String(HIDDEN.length))}\r\n`, HIDDEN),
  ),
  ...CHUNKS.map((chunks) => post('Transfer-Encoding: chunked\r\n', chunks)),
  ...HEADS.map((head) => `${head}Host: a\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`),
  post('Transfer-Encoding: chunked\r\n', `0\r\n\r\n${HIDDEN}`).replace('HTTP/1.1', 'HTTP/1.0'),
];

/** Sends bytes on a new connection. @returns the connection after a final response or its end */
async function send(port: number, message: string): Promise<{ socket: Socket; received: () => string }> {
  let received = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(message, 'latin1'));
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined);
  const isAnswered = () => /^HTTP\/1\.1 [2-5][^]*?\r\n\r\n/m.test(received);
  await eventually(() => Promise.resolve(socket.destroyed || isAnswered()));
  return { socket, received: () => received };
}

/** The number of requests for each id in the matching lines of a log. */
function countsIn(log: string, line: RegExp): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of log.split('\n').filter((one) => line.test(one))) {
    const id = /"requestId":"([^"]*)"/.exec(text)![1]!;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

describe.skipIf(!HaProxy.isInstalled())('behind HAProxy, which shares its connections among clients,', () => {
  let database: TestDatabase;
  let replica: Replica;
  let proxy: HaProxy;
  beforeAll(async () => {
    database = await sqlite.create();
    replica = await Replica.start(database.url, { TRUST_PROXY: '1' });
    const lenient = 'frontend clients\n  option accept-invalid-http-request\n';
    proxy = await HaProxy.start(
      [replica.port],
      (text) => `${text.replace('frontend clients\n', lenient)}\n  http-reuse always\n`,
    );
  });
  afterAll(async () => {
    await proxy.stop();
    await replica.discard();
    await database.drop();
  });

  it('no client gets the response of another client, and nothing is executed that the proxy did not send', async (context) => {
    const problems: string[] = [];
    for (const [i, shape] of SHAPES.entries()) {
      const attacker = await send(proxy.port, shape);
      const pet = JSON.stringify({ name: `Victim ${i}`, categoryId: 7 });
      const victim = await send(
        proxy.port,
        post(`Connection: close\r\nX-Request-Id: victim-${i}\r\nContent-Length: ${pet.length}\r\n`, pet),
      );
      await eventually(() => Promise.resolve(victim.socket.destroyed));
      const isServed =
        victim.received().startsWith('HTTP/1.1 201 ') && victim.received().includes(`"Victim ${i}"`);
      const isServedToo = attacker.received().includes('Victim');
      if (!isServed || isServedToo)
        problems.push(`${shape}: ${attacker.received()} and ${victim.received()}`);
      attacker.socket.destroy();
    }
    const reuses = await proxy.reuses();
    const answered = countsIn(replica.output, /"requestId":"(?!.*"operation":"readyz")/);
    const sent = () => countsIn(proxy.log, /"replica":"petstore-1"/);
    await eventually(() => Promise.resolve(sent().has(`victim-${SHAPES.length - 1}`)));
    const unsent = [...answered].filter(([id, count]) => count > (sent().get(id) ?? 0));
    note(context, {
      promise: 25,
      line: `${SHAPES.length} shapes, ${reuses} requests on shared connections: ${problems.length} problems, ${unsent.length} done that were not sent`,
      kept: problems.length + unsent.length === 0,
    });
    expect([problems, unsent]).toEqual([[], []]);
    expect(answered.size).toBeGreaterThan(SHAPES.length);
    // With fewer reused connections the test would not cover sharing.
    expect(reuses).toBeGreaterThan(SHAPES.length / 2);
  });
});
