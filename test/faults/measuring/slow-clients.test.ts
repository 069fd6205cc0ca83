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
const TOO_LONG = 30_000;

/** In ms, of what stands still: 15 s, and as long as they took to come. */
const CUT = 17_000;
/** Their answers fill the buffers of the system first, one after the other, which takes time of its own. */
const FETCHING = 100;

/**
 * Of the service with clients, by the list of the system. Not from /proc/net/tcp: to read the thousands of closed connections of
 * earlier tests took this process, which is the clients too, most of its time.
 */
const connectionsOf = async ({ port }: Replica) => {
  const { stdout } = await promisify(execFile)('ss', ['-Htn', 'state', 'established', `sport = :${port}`]);
  return stdout.split('\n').filter(Boolean).length;
};

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

it.concurrent.for(KINDS)('clients with %s and no more are sent away', async ([kind, text], context) => {
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
});

it.concurrent('clients that fetch no answer give back their connections', async (context) => {
  const database = await sqlite.create();
  const replica = await Replica.start(database.url);
  const sockets = [];
  while (sockets.length < FETCHING)
    sockets.push(await RawSocket.open(replica.port, LARGE.repeat(60), { reads: false }));
  const from = performance.now();
  // Who does not read does not notice, so the system is asked.
  await eventually(async () => (await connectionsOf(replica)) === 0, TOO_LONG);
  const took = Math.round(performance.now() - from);
  const { status } = await replica.caller.get('/v1/pets');
  for (const socket of sockets) socket.destroy();
  note(context, {
    promise: 14,
    line: `${FETCHING} clients that fetch no answer, directly: no connection left after ${took} ms, then others got ${status}`,
    kept: took <= CUT && status === 200,
  });
  const { expect } = context;
  expect([status, replica.surprises]).toEqual([200, []]);
  await replica.discard();
  await database.drop();
});
