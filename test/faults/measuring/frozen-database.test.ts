import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MariaDbServer } from '../../support/databases/mariadb-server.js';
import { note } from '../support/note.js';
import { Replica } from '../support/servers/replica.js';
import { size } from '../support/size.js';
import { Tally } from '../support/load/tally.js';
import { Traffic } from '../support/load/traffic.js';

const CLIENTS = 40;
/** In ms: the longest wait for a statement and the time limit of a unit of work. */
const DEADLINE = 5_000;
const FROZEN = size(5_000, 60_000);

describe.skipIf(!MariaDbServer.isInstalled())('a database that neither answers nor refuses', () => {
  let server: MariaDbServer;
  let replica: Replica;
  beforeAll(async () => {
    server = await MariaDbServer.start();
    await server.query('CREATE DATABASE petstore');
    replica = await Replica.start(server.url('petstore'));
  });
  afterAll(async () => {
    await replica.discard();
    await server.stop();
  });

  it('keeps nobody waiting beyond the time limits of statements, and is used again as soon as it answers', async (context) => {
    const traffic = Traffic.start([replica.caller], CLIENTS, 20);
    await traffic.nextWrite(performance.now());
    server.freeze();
    const from = performance.now();
    const alive = new Tally();
    const refused = () => traffic.between(from - 100, Number.POSITIVE_INFINITY).count(503);
    while (performance.now() - from < FROZEN || refused() <= CLIENTS) {
      expect(performance.now() - from, 'ms without enough refusals').toBeLessThan(FROZEN + 60_000);
      await alive.of(replica.caller.get('/livez'));
      await sleep(100);
    }
    const until = performance.now();
    server.thaw();
    const back = await traffic.nextWrite(until);
    await sleep(1_000);
    await traffic.stop();
    const all = traffic.between(from - 100, until);
    const slowest = all.took(503, 1);
    const healthy = traffic.between(until + 500, Number.POSITIVE_INFINITY);
    note(context, {
      promise: 8,
      line: `frozen for ${FROZEN} ms: ${all}; slowest 503 after ${slowest} ms, slowest /livez ${alive.took(200, 1)} ms; first write ${back} ms after it went on, then ${healthy}`,
      kept: all.surprises.length === 0 && slowest <= DEADLINE + 250,
    });
    expect([all.surprises, alive.surprises, replica.surprises]).toEqual([[], [], []]);
    expect(all.count(503)).toBeGreaterThan(CLIENTS);
    expect(slowest).toBeLessThan(DEADLINE + 3_000);
    expect(back).toBeLessThan(10_000);
  });
});
