import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBuilt } from '../support/built-service.js';
import { buildEarlier, canBuildEarlier } from '../support/earlier-versions.js';
import { mariaDb } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { Program } from '../support/program.js';
import { Caller } from './support/load/caller.js';
import { Traffic } from './support/load/traffic.js';
import { note } from './support/note.js';
import { HaProxy } from './support/servers/haproxy.js';
import type { Replica } from './support/servers/replica.js';
import { startReplicas } from './support/servers/replicas.js';

const REQUESTS = 4_500;
const CLIENTS = 12;
/** In ms: the clients together send about 100 requests a second. */
const PAUSE = 110;
/** As in rolling-restart.test.ts. */
const DRAIN_DELAY = '5000';

describe.skipIf(!mariaDb.installed || !HaProxy.isInstalled() || !canBuildEarlier)(
  'three replicas of 2.0',
  () => {
    let replicas: Replica[];
    let proxy: HaProxy;
    let caller: Caller;
    let startEarlier: typeof startBuilt;
    beforeAll(async () => {
      const main = join(buildEarlier('2.0'), 'dist/main.js');
      startEarlier = (environment, cwd) => Program.start(main, [], environment, cwd);
      const { url } = await mariaDb.create();
      replicas = await startReplicas(3, () => url, { DRAIN_DELAY }, startEarlier);
      proxy = await HaProxy.start(replicas.map(({ port }) => port));
      caller = new Caller(proxy.origin);
    });
    afterAll(async () => {
      caller.close();
      await proxy.stop();
      await Promise.all(replicas.map((replica) => replica.discard()));
    });

    it('are replaced by this version one after another, and again by 2.0, and no request of a client fails', async (context) => {
      const traffic = Traffic.start([caller], CLIENTS, PAUSE);
      let rolls = 0;
      for (const isBack of [false, true]) {
        for (const replica of replicas) {
          await replica.stop('SIGTERM');
          await replica.again(isBack ? startEarlier : startBuilt);
          await eventually(async () => (await proxy.replicasUp()) === replicas.length);
          rolls += 1;
        }
      }
      await eventually(async () => traffic.total >= REQUESTS);
      await traffic.stop();
      const { tally } = traffic;
      const failed = tally.total - tally.count(200) - tally.count(201);
      note(context, {
        promise: 32,
        line: `${rolls} replacements of 2.0 by this version and back, ${tally.total} requests (${tally}): ${failed} failed`,
        kept: failed === 0,
      });
      expect([failed, tally.surprises]).toEqual([0, []]);
    });
  },
);
