import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GaleraCluster } from '../../../support/databases/galera-cluster.js';
import type { GaleraNode } from '../../../support/databases/galera-node.js';
import { audit } from '../ledger.js';
import type { Replica } from './replica.js';
import type { WriteLoad } from '../load/write-load.js';

/** In ms: a longer gap must be explained, so its logs are kept. */
export const EXPLAINED_ABOVE = 3_000;

/** The result of one kill of a node. */
export interface KillReport {
  readonly kill: number;
  readonly node: number;
  /** In ms: the longest time without an acknowledgement, and when it began, counted from the kill. */
  readonly gap: number;
  readonly gapBegan: number;
  /** In ms: how long the node was away, from its kill until it reported that it had caught up. */
  readonly away: number;
  readonly acknowledged: number;
  /** Number of previously acknowledged writes not yet on the node just then, read without waiting for it. */
  readonly behind: number;
  /** Number of acknowledged writes missing on each node once it has caught up. */
  readonly missing: readonly number[];
  readonly doubled: number;
  /** Where the logs are, if they were kept. */
  readonly logs?: string | undefined;
}

/** Kills and restarts a node under a load that continues throughout, and checks all three nodes when the load is over. */
export async function killOne(
  kill: number,
  cluster: GaleraCluster,
  replicas: readonly Replica[],
  load: WriteLoad,
  more: () => Promise<void>,
): Promise<KillReport> {
  const number = (kill - 1) % cluster.nodes.length;
  const victim = cluster.nodes[number]!;
  await more();
  const killedAt = performance.now();
  await victim.kill();
  await more();
  await cluster.restart(victim);
  const away = Math.round(performance.now() - killedAt);
  const before = new Map(load.acknowledged);
  const behind = audit(before, await rowsOf(victim, load, 0)).lost;
  await more();
  await load.stop();
  const { began, lasted } = load.longestGap;
  const lacks = await Promise.all(cluster.nodes.map((node) => lackOf(node, load)));
  const report = {
    kill,
    node: number + 1,
    gap: Math.round(lasted),
    gapBegan: Math.round(began - killedAt),
    away,
    acknowledged: load.acknowledged.size,
    behind,
    missing: lacks.map(({ lost }) => lost),
    doubled: Math.max(...lacks.map(({ doubled }) => doubled)),
  };
  if (lasted <= EXPLAINED_ABOVE && lacks.every(({ lost }) => lost === 0)) return report;
  const from = performance.timeOrigin + began;
  const text = [
    lineOf(report),
    `the gap began at ${new Date(from).toISOString()}; of each node: ${JSON.stringify(lacks)}`,
    String(load.tally),
    ...membershipBetween(cluster, from, from + lasted),
  ];
  return { ...report, logs: await keepLogs(cluster, replicas, text.join('\n')) };
}

const SYNCED = '4';

/** The rows of a load on a node: as it has them, or with `wait` 1 once it has applied all writes before the query. */
async function rowsOf(node: GaleraNode, load: WriteLoad, wait: 0 | 1) {
  const condition = `WHERE name LIKE '${load.name}-%'`;
  return node.query(
    `SET wsrep_sync_wait = ${wait}`,
    'USE petstore',
    `SELECT id, name FROM pets ${condition}`,
  );
}

/** What a node lacks of a finished load. @throws Error if the node has not caught up with its cluster */
async function lackOf(node: GaleraNode, load: WriteLoad) {
  const [state] = await node.query("SHOW STATUS LIKE 'wsrep_local_state'");
  if (state?.['Value'] !== SYNCED) throw new Error(`A node is in state ${String(state?.['Value'])}.`);
  return audit(load.acknowledged, await rowsOf(node, load, 1));
}

/** What Galera logs about a membership change, during which no writes are accepted. */
const MEMBERSHIP =
  /suspecting node|declaring \S+ at \S+ stable|install message|inactive check|view\(view_id|Selected .* as donor|flow control/i;

/** What the nodes logged about membership between two moments, in ms since 1970; log times are in whole seconds. */
function membershipBetween(cluster: GaleraCluster, from: number, to: number): string[] {
  return cluster.nodes.flatMap(({ output }, i) =>
    output
      .split('\n')
      .filter((line) => MEMBERSHIP.test(line))
      .filter((line) => {
        const time = new Date(line.slice(0, 20).replace(/ +/, ' ')).getTime();
        return time >= from - 1_000 && time <= to;
      })
      .map((line) => `node ${i + 1}: ${line}`),
  );
}

/** Writes the output of nodes and replicas to files. @returns the folder */
async function keepLogs(
  cluster: GaleraCluster,
  replicas: readonly Replica[],
  extra: string,
): Promise<string> {
  const folder = await mkdtemp(join(process.env['FAULTS_LOGS'] ?? tmpdir(), 'petstore-gap-'));
  const logs = [
    ...cluster.nodes.map(({ output }, i) => [`node-${i + 1}.log`, output] as const),
    ...replicas.map(({ output }, i) => [`replica-${i + 1}.log`, output] as const),
    ['report.txt', extra] as const,
  ];
  for (const [name, text] of logs) await writeFile(join(folder, name), text);
  return folder;
}

export const lineOf = (report: KillReport): string =>
  `kill ${report.kill} of node ${report.node}: gap ${report.gap} ms, ${report.gapBegan} ms after it; ` +
  `away ${report.away} ms; ${report.acknowledged} acknowledged, missing ${report.missing.join('/')}, ` +
  `${report.doubled} doubled; ${report.behind} behind when read without waiting` +
  (report.logs ? `; logs in ${report.logs}` : '');
