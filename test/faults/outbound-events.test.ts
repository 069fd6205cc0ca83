import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSending } from '../support/built-service.js';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { eventually } from '../support/eventually.js';
import { accept, Receiver } from '../support/http/receiver.js';
import { Traffic } from './support/load/traffic.js';
import { note } from './support/note.js';
import type { Replica } from './support/servers/replica.js';
import { startReplicas } from './support/servers/replicas.js';
import { size } from './support/size.js';

const KILLS = size(6, 60);
/** How many events are delivered before each kill. */
const DELIVERIES = 200;
/** In ms: the time that the receiver takes, so that each kill interrupts deliveries. */
const TAKES = 30;

describe.skipIf(!MariaDbServer.isInstalled())('two replicas that send events', () => {
  let database: MariaDbServer;
  let receiver: Receiver;
  let replicas: Replica[];
  beforeAll(async () => {
    database = await MariaDbServer.start();
    await database.query('CREATE DATABASE petstore');
    receiver = await Receiver.start();
    receiver.answer = (one, response) => setTimeout(accept, TAKES, one, response);
    replicas = await startReplicas(
      2,
      () => database.url('petstore'),
      { RECEIVER_URL: receiver.url },
      startSending,
    );
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.discard()));
    await receiver.stop();
    await database.stop();
  });

  it('lose no event when replicas, the database and the receiver are killed, and repeat an event with the same id', async (context) => {
    const acknowledged = new Set<number>();
    const victims = [
      ...replicas.map((replica) => [() => replica.stop('SIGKILL'), () => replica.again()] as const),
      [() => database.kill(), () => database.launch()] as const,
    ];
    for (let kill = 0; kill < KILLS; kill++) {
      const load = Traffic.startWrites(
        replicas.map(({ caller }) => caller),
        4,
      );
      const enough = receiver.received.length + DELIVERIES;
      await eventually(async () => receiver.received.length >= enough);
      const [end, again] = victims[kill % victims.length]!;
      await end();
      await receiver.stop();
      await load.stop();
      for (const id of load.acknowledged.keys()) acknowledged.add(id);
      await receiver.again();
      await again();
    }
    // A claim of a killed replica lasts for a minute.
    await eventually(
      async () => (await database.query('SELECT id FROM petstore.outbox LIMIT 1')).length === 0,
    );
    const ids = new Map<number, Set<string>>();
    for (const { petId, id } of receiver.received) ids.set(petId, (ids.get(petId) ?? new Set()).add(id));
    const lost = [...acknowledged].filter((id) => !ids.has(id)).length;
    const others = [...ids.values()].filter((ofOne) => ofOne.size > 1).length;
    const repeated = receiver.received.length - ids.size;
    note(context, {
      promise: 31,
      line: `${KILLS} kills of a replica or the database, each with the receiver, ${ids.size} events: ${lost} lost, ${repeated} repeated, ${others} with another id`,
      kept: lost + others === 0,
    });
    expect([lost, others]).toEqual([0, 0]);
    expect(acknowledged.size).toBeGreaterThan(KILLS * DELIVERIES * 0.5);
    expect(repeated).toBeGreaterThan(0);
  });
});
