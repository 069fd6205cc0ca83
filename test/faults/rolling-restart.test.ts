import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mariaDb } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { Caller } from './support/load/caller.js';
import { note } from './support/note.js';
import { HaProxy } from './support/servers/haproxy.js';
import type { Replica } from './support/servers/replica.js';
import { startReplicas } from './support/servers/replicas.js';
import { size } from './support/size.js';
import { Traffic } from './support/load/traffic.js';

const REQUESTS = size(3_000, 20_000);
const CLIENTS = 12;
/**
 * In ms, as the files in `deploy` set it. The proxy needs about 1 s to detect that a replica is stopping, and longer on a busy machine.
 * Until then it sends requests on connections that the replica closes after the delay.
 */
const DRAIN_DELAY = '5000';

describe.skipIf(!mariaDb.installed || !HaProxy.isInstalled())('three replicas behind a proxy', () => {
  let replicas: Replica[];
  let proxy: HaProxy;
  let caller: Caller;
  beforeAll(async () => {
    const { url } = await mariaDb.create();
    replicas = await startReplicas(3, () => url, { DRAIN_DELAY });
    proxy = await HaProxy.start(replicas.map(({ port }) => port));
    caller = new Caller(proxy.origin);
  });
  afterAll(async () => {
    caller.close();
    await proxy.stop();
    await Promise.all(replicas.map((replica) => replica.discard()));
  });

  it('are restarted one after another, and no request of a client fails', async (context) => {
    const traffic = Traffic.start([caller], CLIENTS, 0);
    let rolls = 0;
    const codes: (number | null)[] = [];
    while (rolls === 0 || traffic.total < REQUESTS) {
      for (const replica of replicas) {
        codes.push((await replica.stop('SIGTERM')).code);
        await replica.again();
        await eventually(async () => (await proxy.replicasUp()) === replicas.length);
      }
      rolls += 1;
    }
    await traffic.stop();
    const { tally } = traffic;
    const failed = tally.total - tally.count(200) - tally.count(201);
    note(context, {
      promise: 13,
      line: `${rolls * 3} restarts behind a proxy, ${tally.total} requests (${tally}): ${failed} failed; slowest ${Math.max(tally.took(200, 1), tally.took(201, 1))} ms`,
      kept: failed === 0 && codes.every((code) => code === 0),
    });
    expect(tally.surprises).toEqual([]);
    expect([failed, codes]).toEqual([0, codes.map(() => 0)]);
  });
});
