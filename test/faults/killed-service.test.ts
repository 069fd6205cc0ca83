import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chanceFrom } from '../bench/traffic/chance.js';
import { sqlite, type TestDatabase } from '../support/engines.js';
import { ALL_PETS, audit } from './support/ledger.js';
import { note } from './support/note.js';
import { Replica } from './support/servers/replica.js';
import { seed, size } from './support/size.js';
import { Traffic } from './support/load/traffic.js';

const KILLS = size(15, 100);
const CLIENTS = 8;
/** In ms: the service is killed at least and at most this long after a write load starts. */
const [SOONEST, LATEST] = [100, 900];

let database: TestDatabase;
let replica: Replica;
beforeAll(async () => {
  database = await sqlite.create();
  replica = await Replica.start(database.url);
});
afterAll(async () => {
  await replica.discard();
  await database.drop();
});

it('a service that is killed at any moment keeps every pet that it acknowledged', async (context) => {
  const chance = chanceFrom(seed);
  const acknowledged = new Map<number, string>();
  const broken: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const load = Traffic.startWrites([replica.caller], CLIENTS);
    await sleep(SOONEST + chance() * (LATEST - SOONEST));
    await replica.stop('SIGKILL');
    await load.stop();
    for (const [id, name] of load.acknowledged) acknowledged.set(id, name);
    const [found] = await database.query('PRAGMA integrity_check');
    if (found!['integrity_check'] !== 'ok') broken.push(JSON.stringify(found));
    await replica.again();
  }
  const { lost, doubled } = audit(acknowledged, await database.query(ALL_PETS));
  note(context, {
    promise: 1,
    line: `${KILLS} kills (seed ${seed}), ${acknowledged.size} acknowledged writes: ${lost} lost, ${doubled} doubled, ${broken.length} broken files`,
    kept: lost === 0 && doubled === 0 && broken.length === 0,
  });
  expect([lost, doubled, broken]).toEqual([0, 0, []]);
  expect(acknowledged.size).toBeGreaterThan(KILLS);
});
