import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { sqlite, type TestDatabase } from '../../support/engines.js';
import { note } from '../support/note.js';
import { LARGE, RawSocket, UNFINISHED } from '../support/load/raw-sockets.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';
import { Traffic } from '../support/load/traffic.js';

const OF_EACH = size(500, 2_000);
const PROMISED = 7_000;
const TOO_LONG = 60_000;

/** In ms: how long a connection may stand still, from the last time that something moved on it. */
const CUT = 17_000;
const FETCHING = 300;

/**
 * How many bytes the service has written on each connection, by the address of its client, as `ss` lists them. /proc/net/tcp
 * also has the thousands of closed connections of earlier tests, and reading them took this process, which runs the clients
 * too, most of its time.
 */
async function writtenBy({ port }: Replica): Promise<Map<string, number>> {
  const { stdout } = await promisify(execFile)('ss', ['-HtniO', 'state', 'established', `sport = :${port}`]);
  const lines = stdout.split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [, sending, , client] = line.trim().split(/\s+/) as [string, string, string, string];
      const [, taken = 0] = /bytes_acked:(\d+)/.exec(line) ?? [];
      return [client, Number(taken) + Number(sending)];
    }),
  );
}

/** Waits until the service has closed all connections. @returns the longest time that one of them stood still, in ms */
async function longestStandstill(replica: Replica): Promise<number> {
  const moved = new Map<string, { written: number; at: number }>();
  let longest = 0;
  await eventually(async () => {
    const connections = await writtenBy(replica);
    const now = performance.now();
    for (const [client, written] of connections) {
      const last = moved.get(client);
      if (last?.written === written) longest = Math.max(longest, now - last.at);
      else moved.set(client, { written, at: now });
    }
    return connections.size === 0;
  }, TOO_LONG);
  return Math.round(longest);
}

const KINDS = Object.entries(UNFINISHED);
/** The seven seconds pass in real time, so all kinds run at once; each kind has its own service. */
const services = new Map<string, { database: TestDatabase; replica: Replica }>();
beforeAll(async () => {
  for (const [kind] of KINDS) {
    const database = await sqlite.create();
    services.set(kind, { database, replica: await Replica.start(database.url) });
  }
});
afterAll(async () => {
  for (const { database, replica } of services.values()) {
    await replica.discard();
    await database.drop();
  }
});

it.concurrent.for(KINDS)(
  'connections of clients that send only %s are closed',
  async ([kind, text], context) => {
    const { replica } = services.get(kind)!;
    const traffic = Traffic.start([replica.caller], 4, 5);
    await traffic.nextWrite(performance.now());
    const from = performance.now();
    const sockets: RawSocket[] = [];
    // A few at a time, because the listen backlog is short.
    while (sockets.length < OF_EACH) {
      const some = Array.from({ length: 50 }, () => RawSocket.open(replica.port, text));
      sockets.push(...(await Promise.all(some)));
    }
    const late = sleep(TOO_LONG).then(() => Number.POSITIVE_INFINITY);
    const times = await Promise.all(sockets.map(({ closed }) => Promise.race([closed, late])));
    const slowest = Math.round(Math.max(...times));
    await traffic.stop();
    for (const socket of sockets) socket.destroy();
    const others = traffic.between(from, Number.POSITIVE_INFINITY);
    note(context, {
      promise: 14,
      line: `${OF_EACH} sockets with ${kind}: the last one closed after ${slowest} ms; meanwhile others got ${others}, slowest ${Math.max(others.took(200, 1), others.took(201, 1))} ms`,
      kept: slowest <= PROMISED && others.surprises.length === 0,
    });
    const { expect } = context;
    expect(slowest).toBeLessThan(TOO_LONG);
    expect([others.surprises, replica.surprises]).toEqual([[], []]);
    expect(others.count(201)).toBeGreaterThan(0);
  },
);

it.concurrent('connections of clients that do not read their responses are closed', async (context) => {
  const database = await sqlite.create();
  const replica = await Replica.start(database.url);
  const sockets = [];
  while (sockets.length < FETCHING)
    sockets.push(await RawSocket.open(replica.port, LARGE.repeat(60), { reads: false }));
  // The connections do not stand still until the responses have filled the buffers of the system. A client that does not
  // read does not notice the end of its connection, so the test asks the system.
  const longest = await longestStandstill(replica);
  const { status } = await replica.caller.get('/v1/pets');
  for (const socket of sockets) socket.destroy();
  note(context, {
    promise: 14,
    line: `${FETCHING} clients that fetch no answer, directly: none stood still for more than ${longest} ms, then others got ${status}`,
    kept: longest <= CUT && status === 200,
  });
  const { expect } = context;
  expect([status, replica.surprises]).toEqual([200, []]);
  await replica.discard();
  await database.drop();
});
