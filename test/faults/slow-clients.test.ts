import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { note } from './support/note.js';
import { RawSocket, UNFINISHED } from './support/raw-sockets.js';
import { Replica } from './support/replica.js';
import { size } from './support/size.js';
import { SqliteDatabase } from './support/sqlite-database.js';
import { Traffic } from './support/traffic.js';

const OF_EACH = size(500, 2_000);
const PROMISED = 7_000;
const TOO_LONG = 30_000;

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

it.for(Object.entries(UNFINISHED))(
  'clients with %s and no more are sent away, and nobody else suffers',
  async ([kind, text], context) => {
    const traffic = Traffic.start([replica.caller], 4, 5);
    await sleep(500);
    const from = performance.now();
    const sockets: RawSocket[] = [];
    // A few at a time, as the queue of connections that nobody has accepted yet is short.
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
    expect(slowest).toBeLessThan(TOO_LONG);
    expect([others.surprises, replica.surprises]).toEqual([[], []]);
    expect(others.count(201)).toBeGreaterThan(0);
  },
);
