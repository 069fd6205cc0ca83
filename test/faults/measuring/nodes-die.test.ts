import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GaleraCluster } from '../../support/databases/galera-cluster.js';
import { eventually } from '../../support/eventually.js';
import { ALL_PETS, audit } from '../support/ledger.js';
import { note } from '../support/note.js';
import type { Replica } from '../support/servers/replica.js';
import { startReplicas } from '../support/servers/replicas.js';
import { size } from '../support/size.js';
import { Traffic } from '../support/load/traffic.js';

const CLIENTS = 4;
/** In ms, between the writes of a client: as long as a write takes, so that half of the machine is free for the nodes. */
const PAUSE = 5;
/** The long run has the number of kills in docs/reliability.md. */
const KILLS = size(1, 100);
/** In ms: the longest time without an acknowledgement. */
const GAP = 3_000;
/** Acknowledged writes per replica before the next event: enough for a loss to show, and done in a second or two. */
const WRITES = 500;

describe.skipIf(!GaleraCluster.isInstalled())(
  'a cluster of three nodes, each replica with another one first',
  () => {
    let cluster: GaleraCluster;
    let replicas: Replica[];
    beforeAll(async () => {
      cluster = await GaleraCluster.start();
      await cluster.nodes[0]!.query('CREATE DATABASE petstore');
      replicas = await startReplicas(3, (i) => cluster.url('petstore', i), { LOG_LEVEL: 'warn' });
    });
    afterAll(async () => {
      await Promise.all(replicas.map((replica) => replica.discard()));
      await cluster.stop();
    });
    const more = async (load: Traffic) => {
      const enough = load.acknowledged.size + 3 * WRITES;
      await eventually(() => Promise.resolve(load.acknowledged.size >= enough));
    };
    const callers = () => replicas.map(({ caller }) => caller);
    // A node shows what other nodes have acknowledged only once it has caught up, so the query waits for that first.
    const rows = () => cluster.nodes[0]!.query('SET wsrep_sync_wait = 1', 'USE petstore', ALL_PETS);
    const differing = async () => new Set(await cluster.digests('petstore')).size - 1;

    it('continues when one of them is killed, and has lost and doubled nothing when the node is back', async (context) => {
      const gaps: number[] = [];
      const all = new Map<number, string>();
      const surprises: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const load = Traffic.startWrites(callers(), CLIENTS, PAUSE);
        const victim = cluster.nodes[kill % cluster.nodes.length]!;
        await more(load);
        await victim.kill();
        await more(load);
        await cluster.restart(victim);
        await more(load);
        await load.stop();
        gaps.push(load.longestGap);
        for (const [id, name] of load.acknowledged) all.set(id, name);
        surprises.push(...load.tally.surprises);
      }
      const { lost, doubled } = audit(all, await rows());
      const different = await differing();
      const long = gaps.filter((gap) => gap > GAP).length;
      note(context, {
        promise: 3,
        line: `${KILLS} kills, ${all.size} acknowledged writes: ${lost} lost, ${doubled} doubled, ${different} nodes differ; longest gap ${Math.max(...gaps)} ms, ${long} above 3 s; ${cluster.endings} times a node ended by itself`,
        kept: lost + doubled + different + surprises.length + long === 0,
      });
      expect([lost, doubled, different, surprises]).toEqual([0, 0, 0, []]);
      expect(Math.max(...gaps)).toBeLessThan(15_000);
    });

    it('accepts no write when only a minority is left, reports it, and works again when the others are back', async (context) => {
      const load = Traffic.startWrites(callers(), CLIENTS, PAUSE);
      await more(load);
      const [survivor, ...victims] = cluster.nodes;
      await Promise.all(victims.map((node) => node.kill()));
      // The majority may have stored earlier writes, but writes from now on must not be accepted.
      const killed = performance.now();
      const stopped = load.stop();
      const minority = Traffic.startWrites(callers(), CLIENTS, PAUSE);
      const unready = callers().map(async (caller) => {
        await eventually(async () => (await caller.get('/readyz')).status === 503);
        return Math.round(performance.now() - killed);
      });
      const unreadyAfter = Math.max(...(await Promise.all(unready)));
      // Waits once more for the time within which a replica must become unready: no write is accepted later either.
      await sleep(3_000);
      await Promise.all([stopped, minority.stop()]);
      const { tally } = minority;
      const accepted = minority.acknowledged.size;
      expect(await survivor!.query("SHOW STATUS LIKE 'wsrep_cluster_status'")).toMatchObject([
        { Value: 'non-Primary' },
      ]);
      // The survivor has no majority, so the operator first makes it the primary component; then the killed nodes restart.
      await survivor!.query("SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES'");
      await cluster.restart(...victims);
      await eventually(async () => {
        const reply = await replicas[0]!.caller.post('/v1/pets', { name: 'after', categoryId: 7 });
        return reply.status === 201;
      });
      const { lost } = audit(load.acknowledged, await rows());
      note(context, {
        promise: 10,
        line: `${tally.total} writes to a minority (${tally}): ${accepted} accepted; /readyz 503 after ${unreadyAfter} ms; afterwards ${lost} of ${load.acknowledged.size} lost`,
        kept: accepted + lost + tally.surprises.length === 0 && unreadyAfter <= 3_000,
      });
      expect([accepted, lost, tally.surprises]).toEqual([0, 0, []]);
      expect(unreadyAfter).toBeLessThan(15_000);
    });

    it('has everything that it acknowledged when all nodes were killed', async (context) => {
      const load = Traffic.startWrites(callers(), CLIENTS, PAUSE);
      await more(load);
      await Promise.all(cluster.nodes.map((node) => node.kill()));
      const recovery = performance.now();
      await cluster.recover();
      const recovered = Math.round(performance.now() - recovery);
      const before = load.acknowledged.size;
      await eventually(() => Promise.resolve(load.acknowledged.size > before));
      await load.stop();
      const { lost, doubled } = audit(load.acknowledged, await rows());
      const different = await differing();
      note(context, {
        promise: 4,
        line: `all 3 nodes killed, ${load.acknowledged.size} acknowledged writes (${load.tally}): ${lost} lost, ${doubled} doubled, ${different} nodes differ; recovered in ${recovered} ms`,
        kept: lost + doubled + different + load.tally.surprises.length === 0,
      });
      expect([lost, doubled, different, load.tally.surprises]).toEqual([0, 0, 0, []]);
      expect(replicas.flatMap(({ surprises }) => surprises)).toEqual([]);
    });
  },
);
