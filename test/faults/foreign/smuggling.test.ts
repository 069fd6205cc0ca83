import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { SqliteDatabase } from '../support/servers/sqlite-database.js';
import { HIDDEN_ID, HIDDEN_NAME, HIDDEN_READ, HIDDEN_WRITE } from './smuggling/messages.js';
import { HaProxy } from './smuggling/haproxy.js';
import { type Attacked, disagreements, PROXIES, ProxiedService } from './smuggling/proxied-service.js';
import { type Shape, SHAPES } from './smuggling/shapes.js';
import { exchange } from './support/exchange.js';
import { inParallel } from './support/in-parallel.js';

let database: SqliteDatabase;
let replica: Replica;
beforeAll(async () => {
  database = new SqliteDatabase();
  replica = await Replica.start(database.url);
});
afterAll(async () => {
  await replica.discard();
  database.remove();
});

/** Sends a shape as a deceived proxy would, followed by the next request. @returns what is wrong */
async function problemOnOneConnection(
  port: number,
  { message, isWhole }: Shape,
): Promise<string | undefined> {
  for (const hidden of [HIDDEN_READ, HIDDEN_WRITE]) {
    const { answers, isOpen, summary } = await exchange(port, message(hidden));
    if (answers.some(({ head }) => head.includes(HIDDEN_ID)))
      return `${summary}: what was hidden is answered`;
    if (isWhole) continue;
    if (isOpen || !answers.every(({ status }) => status >= 400 && status < 500))
      return `${summary}: not refused`;
  }
  return undefined;
}

/** What Node's parser lets through. */
const LEFT_TO_THE_PROXY = [
  'TE alone, an empty item',
  'TE alone, identity before it',
  'TE alone, the other order',
  'TE alone, an empty value',
  'TE.CL, an empty value',
  'TE in HTTP/1.0',
];
const REFUSED = SHAPES.filter(({ name }) => !LEFT_TO_THE_PROXY.includes(name));

const problemsOnOneConnection = async (port: number) =>
  (
    await inParallel(REFUSED, async (shape) => {
      const problem = await problemOnOneConnection(port, shape);
      return problem && `${shape.name}: ${problem}`;
    })
  ).filter((problem) => problem !== undefined);

it('what may be read in two ways is refused, and its connection closed', async (context) => {
  const problems = await problemsOnOneConnection(replica.port);
  const stored = database.query(`SELECT id FROM pets WHERE name = '${HIDDEN_NAME}'`).length;
  note(context, {
    promise: 25,
    line: `${REFUSED.length} shapes, a read and a write hidden in each: ${problems.length} not refused, ${stored} carried out`,
    figures: { shapes: REFUSED.length, problems: problems.length, stored },
    kept: problems.length + stored + replica.surprises.length === 0,
  });
  expect([problems, stored, replica.surprises]).toEqual([[], 0, []]);
});

/** A server that treats every empty line as the end of a message, whatever the headers say. */
function startGullible(): Promise<Server> {
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.on('data', (more: string) => {
      const messages = (text += more).split('\r\n\r\n');
      text = messages.pop()!;
      for (const message of messages) {
        const id = /x-request-id: (.*)/i.exec(message)?.[1] ?? '';
        socket.write(`HTTP/1.1 200 OK\r\nX-Request-Id: ${id}\r\nContent-Length: 0\r\n\r\n`);
        if (/connection: close/i.test(message)) socket.end();
      }
    });
  });
  return new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(server)));
}

it('a server that is deceived is caught', async () => {
  const server = await startGullible();
  const problems = await problemsOnOneConnection((server.address() as AddressInfo).port);
  server.close();
  expect(problems.filter((problem) => problem.endsWith('is answered')).length).toBeGreaterThan(100);
});

it.skipIf(!HaProxy.isInstalled())(
  'behind HAProxy nobody gets the answer of another, and nothing is done that it has not sent',
  async (context) => {
    const from = replica.output.length;
    const attacked = await Promise.all(
      PROXIES.map(async ({ change, shares }) => {
        const all: Attacked = { problems: [], forwarded: 0, shared: 0, sent: [] };
        // Which connections a proxy shares is its choice: it is attacked until it shared some.
        for (let round = 0; round === 0 || (shares && all.shared < 5 && round < 5); round++) {
          const service = await ProxiedService.start(replica, change);
          const one = await service.attack(SHAPES).finally(() => service.stop());
          all.problems.push(...one.problems);
          all.sent.push(...one.sent);
          all.forwarded += one.forwarded;
          all.shared += one.shared;
        }
        return all;
      }),
    );
    const sent = new Set(attacked.flatMap((one) => one.sent));
    const problems = disagreements(replica.output.slice(from), sent);
    for (const [i, { name }] of PROXIES.entries()) {
      const { forwarded, shared, problems: own } = attacked[i]!;
      problems.push(...own.map((problem) => `${name}: ${problem}`));
      note(context, {
        promise: 25,
        line: `HAProxy ${name}: ${SHAPES.length} shapes, ${forwarded} requests sent on, ${shared} victims behind them on one connection: ${problems.length} problems`,
        figures: { shapes: SHAPES.length, forwarded, shared, problems: problems.length },
        kept: problems.length === 0,
      });
    }
    expect(problems).toEqual([]);
    // With fewer shared connections, nothing was tested.
    expect(PROXIES.filter(({ shares }, i) => shares && attacked[i]!.shared < 5)).toEqual([]);
  },
);
