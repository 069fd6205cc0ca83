import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { MariaDbServer } from '../support/mariadb-server.js';
import { note } from './support/note.js';
import { Replica } from './support/replica.js';
import { size } from './support/size.js';

const ROUNDS = size(2, 10);
const ABSENT = 4_000;

describe.skipIf(!MariaDbServer.isInstalled())('a service that is started before its database', () => {
  let server: MariaDbServer;
  beforeAll(async () => {
    server = await MariaDbServer.start();
    await server.query('CREATE DATABASE petstore');
  });
  afterAll(() => server.stop());

  it('is alive but not ready, and ready soon after the database has come', async (context) => {
    const readyAfter: number[] = [];
    const problems: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await server.kill();
      const replica = await Replica.launch(server.url('petstore'));
      await sleep(ABSENT);
      for (const [path, status] of [
        ['/livez', 200],
        ['/readyz', 503],
        ['/v1/pets', 503],
      ] as const) {
        const reply = await replica.caller.get(path);
        const complete = reply.status === 200 || reply.headers['retry-after'] !== undefined;
        if (reply.status !== status || !complete) problems.push(`${path} ${reply.status} ${reply.text}`);
      }
      await server.launch();
      const came = performance.now();
      await eventually(async () => (await replica.caller.get('/readyz')).status === 200);
      readyAfter.push(Math.round(performance.now() - came));
      problems.push(...replica.surprises);
      await replica.discard();
    }
    const slowest = Math.max(...readyAfter);
    note(context, {
      promise: 19,
      line: `${ROUNDS} starts without a database: alive and not ready; ready ${readyAfter.join(', ')} ms after it came`,
      figures: { rounds: ROUNDS, slowest },
      kept: problems.length === 0 && slowest <= 2_000,
    });
    expect(problems).toEqual([]);
    expect(slowest).toBeLessThan(10_000);
  });
});
