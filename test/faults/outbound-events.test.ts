import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSending } from '../support/built-service.js';
import { mariaDb, type TestDatabase } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { accept, Receiver } from '../support/http/receiver.js';
import { Traffic } from './support/load/traffic.js';
import { note } from './support/note.js';
import type { Replica } from './support/servers/replica.js';
import { startReplicas } from './support/servers/replicas.js';
import { size } from './support/size.js';

const KILLS = size(4, 40);
/** How many events are delivered before each kill. */
const DELIVERIES = 250;
/** In ms: the time that the receiver takes, so that each kill interrupts deliveries. */
const TAKES = 30;

describe.skipIf(!mariaDb.installed)('two replicas that send events', () => {
  let database: TestDatabase;
  let receiver: Receiver;
  let replicas: Replica[];
  beforeAll(async () => {
    database = await mariaDb.create();
    receiver = await Receiver.start();
    receiver.answer = (one, response) => setTimeout(accept, TAKES, one, response);
    replicas = await startReplicas(2, () => database.url, { RECEIVER_URL: receiver.url }, startSending);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.discard()));
    await receiver.stop();
    await database.drop();
  });

  it('lose no event when replicas and the receiver are killed, and repeat an event with the same id', async (context) => {
    const acknowledged = new Set<number>();
    for (let kill = 0; kill < KILLS; kill++) {
      const load = Traffic.startWrites(
        replicas.map(({ caller }) => caller),
        4,
      );
      const enough = receiver.received.length + DELIVERIES;
      await eventually(async () => receiver.received.length >= enough);
      const victim = replicas[kill % 2]!;
      await victim.stop('SIGKILL');
      await receiver.stop();
      await load.stop();
      for (const id of load.acknowledged.keys()) acknowledged.add(id);
      await receiver.again();
      await victim.again();
    }
    // A claim of a killed replica lasts for a minute.
    await eventually(async () => (await database.query('SELECT id FROM outbox LIMIT 1')).length === 0);
    const ids = new Map<number, Set<string>>();
    for (const { petId, id } of receiver.received) ids.set(petId, (ids.get(petId) ?? new Set()).add(id));
    const lost = [...acknowledged].filter((id) => !ids.has(id)).length;
    const others = [...ids.values()].filter((ofOne) => ofOne.size > 1).length;
    const repeated = receiver.received.length - ids.size;
    note(context, {
      promise: 31,
      line: `${KILLS} kills of a replica and of the receiver, ${ids.size} events: ${lost} lost, ${repeated} repeated, ${others} with another id`,
      kept: lost + others === 0,
    });
    expect([lost, others]).toEqual([0, 0]);
    expect(acknowledged.size).toBeGreaterThan(KILLS * DELIVERIES * 0.5);
    expect(repeated).toBeGreaterThan(0);
  });
});
