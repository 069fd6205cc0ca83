import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MariaDbServer } from '../support/databases/mariadb-server.js';
import { note } from './support/note.js';
import type { Replica } from './support/servers/replica.js';
import { startReplicas } from './support/servers/replicas.js';
import { long, size } from './support/size.js';
import { Traffic } from './support/load/traffic.js';

/** In ms: each kind of fault once, and a fault-free end to compare with the beginning; only the long run shows a slow leak. */
const LASTS = size(20_000, 30 * 60_000);
const FAULT_EVERY = size(4_000, 60_000);
/** In ms, between the requests of a client: the short run leaves CPU time to other tests. */
const PAUSE = size(20, 5);
/** This first share of the time is warm-up. */
const WARM = 0.25;
const POOL = 10;
const MINUTE = 60_000;

type Fault = (server: MariaDbServer) => Promise<unknown>;
const FAULTS: Fault[] = [
  async (server) => {
    await server.kill();
    await sleep(1_000);
    await server.launch();
  },
  async (server) => {
    server.freeze();
    await sleep(2_000);
    server.thaw();
  },
  (server) => server.query('KILL CONNECTION USER app'),
  async (server) => {
    await server.query('SET GLOBAL read_only = 1');
    await sleep(1_000);
    await server.query('SET GLOBAL read_only = 0');
  },
];

interface Sample {
  readonly minutes: number;
  readonly memory: number;
  readonly files: number;
}

/** Growth per minute: the slope of the least-squares line. */
function slope(samples: readonly Sample[], of: 'memory' | 'files'): number {
  const mean = (value: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + value(sample), 0) / samples.length;
  const [x, y] = [mean(({ minutes }) => minutes), mean((sample) => sample[of])];
  const covariance = mean((sample) => (sample.minutes - x) * (sample[of] - y));
  return covariance / mean(({ minutes }) => (minutes - x) ** 2);
}

describe.skipIf(!MariaDbServer.isInstalled())('a service that runs for long under faults', () => {
  let server: MariaDbServer;
  let replicas: Replica[];
  beforeAll(async () => {
    server = await MariaDbServer.start();
    await server.query('CREATE DATABASE petstore', 'CREATE USER app', 'GRANT ALL ON petstore.* TO app');
    const environment = { DB_POOL_SIZE: String(POOL) };
    replicas = await startReplicas(2, () => server.url('petstore', 'app'), environment);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.discard()));
    await server.stop();
  });

  it('does not grow in memory, files and connections', async (context) => {
    const traffic = Traffic.start(
      replicas.map(({ caller }) => caller),
      6,
      PAUSE,
    );
    const samples: Sample[] = [];
    let most = 0;
    const begin = performance.now();
    const elapsed = () => performance.now() - begin;
    const sampling = (async () => {
      for (; elapsed() < LASTS; await sleep(1_000)) {
        const held = await server
          .query("SELECT COUNT(*) AS held FROM information_schema.processlist WHERE user = 'app'")
          .catch(() => []);
        most = Math.max(most, Number(held[0]?.['held'] ?? 0));
        samples.push({
          minutes: elapsed() / MINUTE,
          memory: Math.max(...replicas.map(({ residentMemory }) => residentMemory)),
          files: Math.max(...replicas.map(({ openFiles }) => openFiles)),
        });
      }
    })();
    let faults = 0;
    // The last part has no faults, so that the end can be compared with the beginning.
    while (elapsed() < LASTS - FAULT_EVERY) {
      await sleep(FAULT_EVERY - 3_000);
      await FAULTS[faults++ % FAULTS.length]!(server);
      await traffic.nextWrite(performance.now());
    }
    await sampling;
    await traffic.stop();

    const warm = samples.filter(({ minutes }) => minutes > (LASTS / MINUTE) * WARM);
    const [memory, files] = [slope(warm, 'memory'), slope(warm, 'files')];
    const last = samples.at(-1)!;
    const all = traffic.between(begin, Number.POSITIVE_INFINITY);
    const surprises = [...all.surprises, ...replicas.flatMap((replica) => replica.surprises)];
    note(context, {
      promise: 22,
      line: `${Math.round(LASTS / 1_000)} s, ${faults} faults, ${all.total} requests (${all}): memory ${memory.toFixed(2)} MB/min (now ${Math.round(last.memory)} MB), files ${files.toFixed(2)}/min (now ${last.files}), at most ${most} connections of ${POOL * replicas.length}`,
      // Over half a minute the slopes mean nothing yet.
      kept:
        surprises.length === 0 && most <= POOL * replicas.length && (!long || (memory < 0.5 && files < 5)),
    });
    expect(surprises).toEqual([]);
    expect(most).toBeLessThanOrEqual(POOL * replicas.length);
    expect(last.files).toBeLessThan(warm[0]!.files + 50);
    expect(memory * (LASTS / MINUTE)).toBeLessThan(200);
  });
});
