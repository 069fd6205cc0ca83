import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';

const SERVICES = size(2, 5);
const ROUNDS = size(1, 4);
/** In ms: by then the service retries at most every two seconds, so it may notice the database late. */
const ABSENT = 4_000;

describe.skipIf(!MariaDbServer.isInstalled())('a service that is started before its database', () => {
  let server: MariaDbServer;
  beforeAll(async () => {
    server = await MariaDbServer.start();
    const names = Array.from({ length: SERVICES }, (_, i) => `CREATE DATABASE petstore_${i}`);
    await server.query(...names);
  });
  afterAll(() => server.stop());

  it('is alive but not ready, and ready soon after the database has come', async (context) => {
    const readyAfter: number[] = [];
    const problems: string[] = [];
    const look = async ({ caller }: Replica) => {
      for (const [path, status] of [
        ['/livez', 200],
        ['/readyz', 503],
        ['/v1/pets', 503],
      ] as const) {
        const reply = await caller.get(path);
        const complete = reply.status === 200 || reply.headers['retry-after'] !== undefined;
        if (reply.status !== status || !complete) problems.push(`${path} ${reply.status} ${reply.text}`);
      }
    };
    const becomeReady = async (replica: Replica, came: number) => {
      await eventually(async () => (await replica.caller.get('/readyz')).status === 200);
      readyAfter.push(Math.round(performance.now() - came));
      problems.push(...replica.surprises);
      await replica.discard();
    };
    for (let round = 0; round < ROUNDS; round++) {
      await server.kill();
      // Each service has its own database, so that none waits for the migrations of another.
      const replicas = await Promise.all(
        Array.from({ length: SERVICES }, (_, i) => Replica.launch(server.url(`petstore_${i}`))),
      );
      await sleep(ABSENT);
      await Promise.all(replicas.map(look));
      await server.launch();
      const came = performance.now();
      await Promise.all(replicas.map((replica) => becomeReady(replica, came)));
    }
    const slowest = Math.max(...readyAfter);
    note(context, {
      promise: 19,
      line: `${ROUNDS * SERVICES} starts without a database: alive and not ready; ready ${readyAfter.join(', ')} ms after it came`,
      kept: problems.length === 0 && slowest <= 2_000,
    });
    expect(problems).toEqual([]);
    expect(slowest).toBeLessThan(10_000);
  });
});
