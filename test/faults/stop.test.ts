import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { MariaDbServer } from '../support/mariadb-server.js';
import { note } from './support/note.js';
import { IDLE, RawSocket, UNFINISHED } from './support/raw-sockets.js';
import { Replica } from './support/replica.js';
import { size } from './support/size.js';
import { Tally } from './support/tally.js';

const ROUNDS = size(2, 20);
const OF_EACH = 20;

describe.skipIf(!MariaDbServer.isInstalled())('a service that is told to stop', () => {
  let server: MariaDbServer;
  beforeAll(async () => {
    server = await MariaDbServer.start();
    await server.query('CREATE DATABASE petstore');
  });
  afterAll(() => server.stop());

  it('answers all that is in flight, and is not held up by whatever else is connected', async (context) => {
    const tally = new Tally();
    const took: number[] = [];
    const codes: (number | null)[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const replica = await Replica.start(server.url('petstore'));
      await replica.caller.get('/v1/pets');
      const sockets = await Promise.all(
        [IDLE, ...Object.values(UNFINISHED)].flatMap((text) =>
          Array.from({ length: OF_EACH }, () => RawSocket.open(replica.port, text)),
        ),
      );
      const blocker = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
      await blocker.query('LOCK TABLES petstore.pets WRITE');
      const inFlight = Array.from({ length: OF_EACH }, (_, i) =>
        tally.of(replica.caller.post('/v1/pets', { name: `in flight ${i}`, categoryId: 7 })),
      );
      await eventually(async () => (await server.query(WAITING)).length > 0);
      await sleep(200);
      const told = performance.now();
      const ended = replica.stop('SIGTERM');
      await sleep(500);
      await blocker.query('UNLOCK TABLES');
      await Promise.all(inFlight);
      codes.push((await ended).code);
      took.push(Math.round(performance.now() - told));
      for (const socket of sockets) socket.destroy();
      await blocker.end();
      await replica.discard();
    }
    const unanswered = ROUNDS * OF_EACH - tally.count(201);
    const slowest = Math.max(...took);
    note(context, {
      promise: 12,
      line: `${ROUNDS} stops with ${OF_EACH} each in flight, idle, silent, with half headers, with half a body: ${unanswered} in flight not answered (${tally}), exit codes ${codes.join(', ')}, ended after ${took.join(', ')} ms`,
      figures: { stops: ROUNDS, inFlight: ROUNDS * OF_EACH, unanswered, slowest },
      kept: unanswered === 0 && codes.every((code) => code === 0) && slowest <= 5_000,
    });
    expect([unanswered, codes]).toEqual([0, codes.map(() => 0)]);
    expect(slowest).toBeLessThan(15_000);
  });
});

const WAITING = "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'";
