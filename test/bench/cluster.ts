// Measures the database cost on one MariaDB and on a Galera cluster of three nodes, in alternating turns.
import { chmod, writeFile } from 'node:fs/promises';
import Table from 'cli-table3';
import { readClusterOptions } from './command/cluster-options.js';
import { untilInterrupted } from './command/interruption.js';
import { inWorkspace } from './command/workspace.js';
import {
  type ClusterCase,
  type ClusterFigures,
  type ClusterResult,
  mediansOf,
} from './figures/cluster-results.js';
import { type BenchKey, fill } from './servers/database.js';
import { machineFacts } from './servers/machine.js';
import { type MariaDbDatabase, startGalera, startMariaDb } from './servers/mariadb-database.js';
import { RunningServer } from './servers/running-server.js';
import { CONTENDERS, surroundingsOf } from './servers/servers.js';
import { usageOf } from './servers/usage.js';
import { quiet, undisturbed } from './traffic/quiet.js';
import { Traffic } from './traffic/traffic.js';
import { WARM_UP } from './traffic/warm-up.js';
import { needWrk, runWrk } from './traffic/wrk.js';

const options = readClusterOptions(process.argv.slice(2));
const { script, paging } = CONTENDERS.service;

process.exitCode = await untilInterrupted(async (signal) => {
  needWrk();
  const { results, version } = await inWorkspace((folder) => measureAll(folder, signal));
  print(results);
  const report = { date: new Date().toISOString(), machine: machineFacts(version), options, results };
  await writeFile(
    options.out,
    `${JSON.stringify({ ...report, options: { ...options, out: undefined } }, undefined, 2)}\n`,
  );
  return results.every(({ faults }) => faults.length === 0);
});

/** A measured setup with its own load: the services and their database. */
interface Side {
  readonly name: ClusterCase;
  readonly database: MariaDbDatabase;
  readonly key: BenchKey;
  readonly services: readonly RunningServer[];
}

async function measureAll(folder: string, signal: AbortSignal) {
  // As root, the cluster nodes run as another user, who needs access to their data in this folder.
  await chmod(folder, 0o755);
  const stops: (() => Promise<void>)[] = [];
  try {
    const sides: Side[] = [];
    for (const start of [startMariaDb, startGalera]) {
      const database = await start(options.bufferPool);
      stops.unshift(database.stop);
      const key = await fill(database, options.animals, signal);
      await database.resetTo(options.animals);
      const services: RunningServer[] = [];
      for (const node of database.pids.keys()) {
        const surroundings = surroundingsOf('service', {
          url: database.urlAt(node),
          key,
          env: {},
          without: [],
        });
        const service = await RunningServer.start({ script, key: key.secret, ...surroundings }, signal);
        stops.unshift(() => service.stop());
        services.push(service);
      }
      if (start === startMariaDb) sides.push({ name: 'one server', database, key, services });
      else {
        sides.push({ name: 'cluster, one node written', database, key, services: services.slice(0, 1) });
        sides.push({ name: 'cluster, all nodes', database, key, services });
      }
    }
    const results = await takeTurns(sides, await Traffic.over(options.animals, folder), signal);
    return { results, version: sides.at(-1)!.database.version };
  } finally {
    for (const stop of stops) await stop();
  }
}

async function takeTurns(sides: readonly Side[], traffic: Traffic, signal: AbortSignal) {
  const results: ClusterResult[] = [];
  for (const scenario of options.scenarios) {
    const { file } = await traffic.of(scenario, paging);
    await quiet(signal);
    for (const side of sides) await load(side, { ...WARM_UP, file }, signal);
    for (const connections of options.connections) {
      const turns = new Map<Side, ClusterFigures[]>(sides.map((side) => [side, []]));
      for (let turn = 0; turn < options.turns; turn++) {
        for (const i of sides.keys()) {
          const side = sides[(turn + i) % sides.length]!;
          const shape = { connections, seconds: options.seconds, file };
          turns.get(side)!.push(await undisturbed(() => measure(side, shape, signal), signal));
        }
      }
      for (const [{ name }, figures] of turns)
        results.push({ name, scenario, connections, ...mediansOf(figures) });
    }
  }
  return results;
}

interface Shape {
  readonly connections: number;
  readonly seconds: number;
  readonly file: string;
}

/** Splits the connections evenly over the services and loads all of them at the same time. */
function load({ services, key }: Side, { connections, ...shape }: Shape, signal: AbortSignal) {
  const each = Math.max(1, Math.round(connections / services.length));
  return Promise.all(
    services.map(({ origin }) => runWrk({ origin, key: key.secret, connections: each, ...shape }, signal)),
  );
}

async function measure(side: Side, shape: Shape, signal: AbortSignal): Promise<ClusterFigures> {
  const { database, services } = side;
  // Flushes earlier writes to disk before the measurement.
  await database.settle();
  const look = async () => ({
    // Read first, because a node responds only after it has applied the writes of the others.
    failures: sum(await database.counters('wsrep_local_cert_failures')),
    aborts: sum(await database.counters('wsrep_local_bf_aborts')),
    paused: await database.counters('wsrep_flow_control_paused_ns'),
    service: sum(services.map((service) => service.usage().cpuSeconds)),
    nodes: database.pids.map((pid) => usageOf(pid).cpuSeconds),
  });
  const before = await look();
  const seen = await load(side, shape, signal);
  const after = await look();
  const requests = sum(seen.map((one) => one.requests));
  const msPer1000 = (seconds: number) => (seconds * 1e6) / requests;
  return {
    requestsPerSecond: sum(seen.map(({ requestsPerSecond }) => requestsPerSecond)),
    serviceMsPer1000: msPer1000(after.service - before.service),
    nodeMsPer1000: after.nodes.map((seconds, i) => msPer1000(seconds - before.nodes[i]!)),
    p50Ms: Math.max(...seen.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...seen.map(({ p99Ms }) => p99Ms)),
    certificationFailures: after.failures - before.failures,
    aborts: after.aborts - before.aborts,
    pausedMs: Math.max(...after.paused.map((ns, i) => (ns - before.paused[i]!) / 1e6)),
    faults: seen.flatMap(({ faults }) => faults),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function print(results: readonly ClusterResult[]): void {
  const head = [
    'scenario',
    'conn.',
    'database',
    'req/s',
    'service ms/1000',
    'nodes ms/1000',
    'p50 ms',
    'p99 ms',
    'refused',
    'aborted',
    'paused ms',
    'faults',
  ];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const { scenario, connections, name, requestsPerSecond, faults, ...more } of results) {
    const { serviceMsPer1000, nodeMsPer1000, p50Ms, p99Ms, certificationFailures, aborts, pausedMs } = more;
    table.push([
      scenario,
      connections,
      name,
      Math.round(requestsPerSecond),
      serviceMsPer1000.toFixed(1),
      nodeMsPer1000.map((ms) => ms.toFixed(1)).join(' / '),
      p50Ms,
      p99Ms,
      certificationFailures,
      aborts,
      pausedMs,
      faults.join(),
    ]);
  }
  process.stdout.write(`${table}\n`);
}
