import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnPetstore, startListening } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import type { RedisServer } from '../../support/databases/redis-server.js';
import type { Replica } from '../support/servers/replica.js';
import { startReplicas } from '../support/servers/replicas.js';
import type { Chance } from './chance.js';
import { Clients } from './clients.js';
import type { History, PetStatus, StoredOrder, StoredPet } from './history.js';
import { type Fault, frozen, killed, type Place } from './place.js';

/** In ms: how long a replica delivers events before the test reads its file. */
const DELIVERING = 2_000;
/** In ms: how long a replica waits for Redis before it counts on its own. */
const PATIENCE = 250;
const RATE = { limit: 10, seconds: 1, patience: PATIENCE };

interface Course {
  readonly chance: Chance;
  /** Where replicas share their rate counters; without it no key with a rate is used. */
  readonly redis?: RedisServer | undefined;
  /** Of the replicas. */
  readonly environment: Readonly<Record<string, string>>;
  readonly replicas: number;
  readonly clients: number;
  /** Number of operations acknowledged before the first fault and after each one. */
  readonly work: number;
  /** Moves the clocks of the replicas forward, past every time they wait for. */
  putForward?(): void;
  /** Chooses the faults of the run from all possible ones. */
  choose(faults: readonly Fault[]): readonly Fault[];
}

export interface Run {
  readonly history: History;
  readonly faults: readonly string[];
  readonly differing: number;
  /** Output lines of the replicas that report unexpected problems. */
  readonly surprises: readonly string[];
}

/** Runs clients against replicas during one fault after another, and collects everything that the clients saw. */
export async function run(place: Place, course: Course): Promise<Run> {
  const { chance, work, redis } = course;
  const environment = {
    HEAR: 'changes',
    LOG_LEVEL: 'warn',
    ...(redis && { REDIS_URL: redis.url }),
    ...course.environment,
  };
  const replicas = await startReplicas(course.replicas, (i) => place.url(i), environment, startListening);
  try {
    let restarts = 0;
    let lapses = 0;
    const countLapses = ({ output }: Replica) => (lapses += output.split('Redis does not count').length - 1);
    const faults = course.choose([
      ...place.faults,
      ...replicaFaults(replicas, chance, (replica) => {
        restarts += 1;
        countLapses(replica);
      }),
    ]);
    const clients = new Clients(
      replicas.map(({ caller }) => caller),
      chance,
    ).start(course.clients);
    if (redis) clients.use(await issueKey(place.url(0)));
    const goOn = () => {
      const enough = clients.done + work;
      return eventually(() => Promise.resolve(clients.done >= enough));
    };
    await goOn();
    for (const fault of faults) {
      await fault.happen();
      await goOn();
    }
    await clients.stop();
    replicas.forEach(countLapses);
    course.putForward?.();
    await settle(place, replicas);
    const history: History = {
      operations: clients.book.operations,
      ...(await stored(place)),
      ended: performance.now(),
      uses: clients.uses,
      rate: redis && { ...RATE, restarts, lapses },
    };
    const surprises = replicas.flatMap((replica) => replica.surprises);
    const names = faults.map(({ name }) => name);
    return { history, faults: names, differing: await place.differing(), surprises };
  } finally {
    await Promise.all(replicas.map((replica) => replica.discard()));
  }
}

/** A replica is killed and restarted, or frozen for a while. */
function replicaFaults(
  replicas: readonly Replica[],
  chance: Chance,
  restarted: (replica: Replica) => void,
): Fault[] {
  const mortals = replicas.map((replica) => ({
    replica,
    kill: () => replica.stop('SIGKILL'),
    freeze: () => void process.kill(replica.pid, 'SIGSTOP'),
    thaw: () => void process.kill(replica.pid, 'SIGCONT'),
  }));
  const again = ({ replica }: (typeof mortals)[number]) => {
    restarted(replica);
    return replica.again();
  };
  return [killed('replica', mortals, chance, again), frozen('replica', mortals, chance)];
}

async function issueKey(url: string): Promise<string> {
  const args = ['keys', 'issue', '--name', 'hasty', '--rate', `${RATE.limit}/s`];
  const { output } = await spawnPetstore(args, { DATABASE_URL: url }, tmpdir()).end();
  const key = /psk_\S+/.exec(output)?.[0];
  if (key === undefined) throw new Error(`No key was issued:\n${output}`);
  return key;
}

/** Waits until every event was delivered and the database has no other connection: an unacknowledged write may arrive late. */
async function settle(place: Place, replicas: readonly Replica[]): Promise<void> {
  const count = async (what: string) =>
    Number((await place.query(`SELECT COUNT(*) AS n FROM ${what}`))[0]!['n']);
  const isHeard = async () => (await count('outbox')) === 0;
  for (;;) {
    await (place.isShared ? eventually(isHeard) : sleep(DELIVERING));
    await Promise.all(replicas.map((replica) => replica.stop()));
    const others = `information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()`;
    if (place.isShared) await eventually(async () => (await count(others)) === 0);
    if (await isHeard()) return;
    await replicas[0]!.again();
  }
}

async function stored(place: Place): Promise<Pick<History, 'pets' | 'orders' | 'heard'>> {
  const pets = await place.query('SELECT id, name, status FROM pets');
  const orders = await place.query('SELECT id, pet_id AS petId, status FROM orders');
  const heard = new Map<number, PetStatus[]>();
  for (const { pet, status } of await place.query('SELECT pet, status FROM heard ORDER BY pet, place'))
    heard.set(Number(pet), [...(heard.get(Number(pet)) ?? []), status as PetStatus]);
  return {
    pets: pets.map((pet) => ({ ...(pet as unknown as StoredPet), id: Number(pet['id']) })),
    orders: orders.map((order) => ({
      ...(order as unknown as StoredOrder),
      id: Number(order['id']),
      petId: Number(order['petId']),
    })),
    heard,
  };
}
