import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { note } from '../support/note.js';
import { RawSocket, UNFINISHED } from '../support/load/raw-sockets.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';
import { SqliteDatabase } from '../support/servers/sqlite-database.js';
import { Traffic } from '../support/load/traffic.js';

const OF_EACH = size(500, 2_000);
const PROMISED = 7_000;
const TOO_LONG = 30_000;

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
