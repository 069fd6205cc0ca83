import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { note } from '../support/note.js';
import { LARGE, RawSocket, UNFINISHED } from '../support/load/raw-sockets.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';
import { SqliteDatabase } from '../support/servers/sqlite-database.js';
import { Tally } from '../support/load/tally.js';
import { Traffic } from '../support/load/traffic.js';

const OF_EACH = size(500, 2_000);
const PROMISED = 7_000;
const TOO_LONG = 30_000;

/** For clients that do not read: the connection limit of the service, and in ms the deadline for closing their connections. */
const CONNECTIONS = 300;
const CUT = 20_000;
const HELD_TOO_LONG = 60_000;

const KINDS = Object.entries(UNFINISHED);
/** The seven seconds pass in real time, so all kinds run at once; each kind has its own service. */
const services = new Map<string, { database: SqliteDatabase; replica: Replica }>();
beforeAll(async () => {
  for (const [kind] of KINDS) {
    const database = new SqliteDatabase();
    services.set(kind, { database, replica: await Replica.start(database.url) });
  }
});
afterAll(async () => {
  for (const { database, replica } of services.values()) {
    await replica.discard();
    database.remove();
  }
});

it.concurrent.for(KINDS)(
  'clients with %s and no more are sent away, and nobody else suffers',
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
      figures: { kind, sockets: OF_EACH, slowest, others: String(others) },
      kept: slowest <= PROMISED && others.surprises.length + others.count(503) === 0,
    });
    const { expect } = context;
    expect(slowest).toBeLessThan(TOO_LONG);
    expect([others.surprises, replica.surprises]).toEqual([[], []]);
    expect(others.count(201)).toBeGreaterThan(0);
  },
);

it.concurrent(
  'clients that ask and fetch no answer make room for others, and are cut before long',
  async (context) => {
    const database = new SqliteDatabase();
    const replica = await Replica.start(database.url, { MAX_CONNECTIONS: String(CONNECTIONS) });
    const from = performance.now();
    const open = () => RawSocket.open(replica.port, LARGE.repeat(60), { from: '127.0.0.2', reads: false });
    const sockets: RawSocket[] = [];
    while (sockets.length < CONNECTIONS) {
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, open))));
    }
    const pokes = setInterval(() => sockets.forEach((socket) => socket.send(LARGE)), 250);
    // All connections of this traffic are new: the service must accept them while the others are held.
    const traffic = Traffic.start([replica.caller], 4, 5);
    const neighbours = new Tally();
    let held = true;
    const probes = (async () => {
      while (held) {
        const probe = request({
          port: replica.port,
          path: '/livez',
          localAddress: '127.0.0.2',
          agent: false,
        });
        const begun = performance.now();
        try {
          const [{ statusCode, headers }] = (await once(probe.end(), 'response')) as [IncomingMessage];
          const took = performance.now() - begun;
          neighbours.reply({ status: statusCode!, headers, text: '', took });
        } catch (error) {
          neighbours.failure(error);
        }
        probe.destroy();
        await sleep(100);
      }
    })();
    const late = sleep(HELD_TOO_LONG).then(() => Number.POSITIVE_INFINITY);
    const times = await Promise.all(sockets.map(({ closed }) => Promise.race([closed, late])));
    held = false;
    clearInterval(pokes);
    await Promise.all([traffic.stop(), probes]);
    for (const socket of sockets) socket.destroy();
    const others = traffic.between(from, Number.POSITIVE_INFINITY);
    const slowest = Math.round(Math.max(...times));
    note(context, {
      promise: 14,
      line: `${CONNECTIONS} clients that fetch nothing, ${CONNECTIONS} connections at most: the last one cut after ${slowest} ms; meanwhile others got ${others}, probes from the same address ${neighbours}, slowest ${neighbours.took(200, 1)} ms`,
      figures: { sockets: CONNECTIONS, slowest, others: String(others), probes: String(neighbours) },
      kept: slowest <= CUT && others.surprises.length + others.count(503) === 0,
    });
    const { expect } = context;
    expect(slowest).toBeLessThan(HELD_TOO_LONG);
    expect([others.surprises, neighbours.surprises, replica.surprises]).toEqual([[], [], []]);
    expect(others.count(201)).toBeGreaterThan(0);
    await replica.discard();
    database.remove();
  },
);
