import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GaleraCluster } from '../support/databases/galera-cluster.js';
import { forgetFolder, keepFolder } from '../support/processes/keeper.js';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { MovedClock } from '../support/processes/moved-clock.js';
import { RedisServer } from '../support/databases/redis-server.js';
import { Chance } from './history/chance.js';
import { checkHistory } from './history/check.js';
import type { Fault, Place } from './history/place.js';
import {
  clockFaults,
  lacking,
  oneFile,
  oneMariaDb,
  oneMySql,
  threeNodes,
  WRONG_BY,
} from './history/places.js';
import { run } from './history/run.js';
import { note } from './support/note.js';
import { seed, size } from './support/size.js';

/** Number of further faults on each place after each kind happened once. */
const MORE_FAULTS = size(0, 44);
/** Faults that take long or are rare: skipped in the short run. */
const RARE = ['link cut', 'all nodes cut off', 'replica frozen'];
/** Number of operations acknowledged before the first fault and after each one: the service keeps working. */
const WORK = size(150, 400);

const PLACES = [
  { name: 'one SQLite file', installed: true, create: oneFile, replicas: 1 },
  { name: 'one MariaDB', installed: MariaDbServer.isInstalled(), create: oneMariaDb, replicas: 3 },
  // Counted as skipped where it does not start.
  { name: 'one MySQL', installed: true, create: oneMySql, replicas: 3 },
  { name: 'three nodes', installed: GaleraCluster.isInstalled(), create: threeNodes, replicas: 3 },
];

const leftOut = [...lacking(), ...(RedisServer.isInstalled() ? [] : ['rates: needs redis-server'])];
if (leftOut.length > 0 && process.env['REQUIRE_SERVERS'])
  throw new Error(`Nothing may be left out, but would be: ${leftOut.join('; ')}`);
for (const what of leftOut) process.stdout.write(`\nLEFT OUT of the history, ${what}.\n`);

describe.concurrent.for(PLACES.filter(({ installed }) => installed))(
  'clients of $replicas replicas on $name',
  ({ name, create, replicas }) => {
    const chance = new Chance(`${seed} ${name}`);
    let place: Place | undefined;
    let folder: string;
    let clock: MovedClock | undefined;
    let redis: RedisServer | undefined;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'petstore-clock-'));
      keepFolder(folder);
      clock = MovedClock.isInstalled() ? new MovedClock(folder) : undefined;
      redis = replicas > 1 && RedisServer.isInstalled() ? await RedisServer.start() : undefined;
      place = await create(chance);
    });
    afterAll(async () => {
      await place?.stop();
      await redis?.stop();
      await rm(folder, { recursive: true, force: true });
      forgetFolder(folder);
    });

    it('see one history, whatever faults occur meanwhile', async (context) => {
      if (!place) return context.skip();
      const choose = (faults: readonly Fault[]) => {
        // First, so that all other faults happen while the clocks of the replicas are wrong.
        const all = [...clockFaults('replica', clock ? [clock] : [], chance), ...faults];
        const more = Array.from({ length: MORE_FAULTS }, () => chance.pick(all)!);
        return [...all.filter((fault) => more.length > 0 || !RARE.includes(fault.name)), ...more];
      };
      const environment = clock?.environment ?? {};
      // A failed event handler is retried at a time that may have been set by a fast clock.
      const putForward = () => clock?.move(2 * WRONG_BY);
      const course = { chance, environment, redis, putForward, replicas, clients: 8, work: WORK, choose };
      const { history, faults, differing, surprises } = await run(place, course);
      const violations = checkHistory(history);
      const { operations } = history;
      const count = (outcome: string) =>
        operations.filter((operation) => operation.outcome === outcome).length;
      const kinds = [...new Set(faults)].map((kind) => `${faults.filter((f) => f === kind).length} ${kind}`);
      note(context, {
        promise: 27,
        line: `${name}: ${faults.length} faults (${kinds.join(', ')}), ${operations.length} operations of which ${count('done')} acknowledged and ${count('unknown')} unknown, ${history.pets.length} animals, ${history.orders.length} orders, ${history.uses.length} uses of a key with a rate: ${violations.length} violations, ${differing} nodes differ`,
        kept: violations.length + differing + surprises.length === 0,
      });
      expect(violations.slice(0, 10)).toEqual([]);
      expect([differing, surprises]).toEqual([0, []]);
    });
  },
);

it.skipIf(!MovedClock.isInstalled()).for([WRONG_BY, -WRONG_BY])(
  'a clock that is wrong by %i s shows another time',
  async (wrongBy, { expect }) => {
    const folder = await mkdtemp(join(tmpdir(), 'petstore-clock-'));
    const clock = new MovedClock(folder);
    clock.move(wrongBy);
    const env = { ...process.env, ...clock.environment };
    const time = Number(execFileSync('date', ['+%s'], { env, encoding: 'utf8' }));
    expect(Math.abs(time - Date.now() / 1_000 - wrongBy)).toBeLessThan(60);
    await rm(folder, { recursive: true });
  },
);
