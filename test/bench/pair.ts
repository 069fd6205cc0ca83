// Measures the service and a variant of it, or a peer, in alternating turns, so that other load on the machine affects both.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readPairOptions } from './command/options.js';
import { runProgram } from './command/program.js';
import { inTurns, type Side } from './figures/growth.js';
import { spreadOf } from './figures/statistics.js';
import { tableOf } from './figures/tables.js';
import { type FilledTable, fillTable } from './servers/database.js';
import { type Measured, RunningServer } from './servers/running-server.js';
import { CONTENDERS, environmentOf } from './servers/servers.js';
import { quiet } from './servers/machine.js';
import type { ScenarioName } from './traffic/scenarios.js';
import { WARM_UP } from './traffic/wrk.js';

const options = readPairOptions(process.argv.slice(2));

await runProgram(async (folder, signal) => {
  const turns = await compare(folder, signal);
  const figures = [...turns].map(([scenario, pairs]) => figuresOf(scenario, pairs));
  print(figures);
  if (options.out) await writeFile(options.out, `${JSON.stringify({ options, figures }, undefined, 2)}\n`);
  return figures.every(({ faults }) => faults.length === 0);
});

type Pair = readonly [usual: Measured, variant: Measured];

async function compare(folder: string, signal: AbortSignal): Promise<Map<ScenarioName, Pair[]>> {
  const stops: (() => Promise<void>)[] = [];
  const { against, animals, checkout, otherAnimals = animals, engine, turns, scenarios } = options;
  const { connections, seconds, rate } = options;
  try {
    const first = await fillTable(join(folder, 'usual'), options);
    stops.unshift(first.database.stop);
    // A peer counts ids in memory: in a shared table it would assign ids that the service assigns too. Another version may have
    // other tables, and an SQLite file belongs to one service.
    const cli = checkout && resolve(checkout, 'dist/cli.js');
    const second =
      against || checkout || otherAnimals !== animals || engine === 'sqlite'
        ? await fillTable(join(folder, 'variant'), { ...options, animals: otherAnimals, cli })
        : first;
    if (second !== first) stops.unshift(second.database.stop);
    await quiet(signal);
    const sides: Side[] = [];
    for (const [table, isVariant] of [
      [first, false],
      [second, true],
    ] as const) {
      const { server, load } = await startSide(table, isVariant, signal);
      stops.unshift(() => server.stop());
      sides.push({ load });
    }
    const shape = { connections, seconds, ...(rate !== undefined && { rate }) };
    const all = new Map<ScenarioName, Pair[]>();
    for (const scenario of scenarios) {
      const [usual, variant] = await inTurns(scenario, sides, turns, shape, signal);
      all.set(
        scenario,
        usual!.map((one, turn) => [one, variant![turn]!]),
      );
    }
    return all;
  } finally {
    for (const stop of stops) await stop();
  }
}

async function startSide({ database, key, traffic }: FilledTable, isVariant: boolean, signal: AbortSignal) {
  const name = (isVariant && options.against) || 'service';
  const { script: own, paging } = CONTENDERS[name];
  const script = isVariant && options.checkout ? resolve(options.checkout, 'dist/main.js') : own;
  const environment = environmentOf(name, database.url, key, isVariant ? options.env : {});
  const server = await RunningServer.start({ script, key: key.secret, environment }, signal);
  const load: Side['load'] = async (scenario, timed) =>
    server.measure(
      await traffic.of(scenario, paging),
      { connections: WARM_UP.connections, ...timed },
      signal,
    );
  return { server, load };
}

function figuresOf(scenario: ScenarioName, pairs: readonly Pair[]) {
  const spread = (of: (pair: Pair) => number) => spreadOf(pairs.map(of))!;
  return {
    scenario,
    usual: spread(([usual]) => usual.requestsPerSecond),
    variant: spread(([, variant]) => variant.requestsPerSecond),
    ratio: spread(([usual, variant]) => variant.requestsPerSecond / usual.requestsPerSecond),
    cpuRatio: spread(([usual, variant]) => variant.cpuMicrosPerRequest / usual.cpuMicrosPerRequest),
    memoryRatio: spread(([usual, variant]) => variant.residentMiB / usual.residentMiB),
    usualP50Ms: spread(([usual]) => usual.p50Ms),
    variantP50Ms: spread(([, variant]) => variant.p50Ms),
    usualP99Ms: spread(([usual]) => usual.p99Ms),
    variantP99Ms: spread(([, variant]) => variant.p99Ms),
    faults: pairs.flat().flatMap(({ faults }) => faults),
  };
}

function print(figures: readonly ReturnType<typeof figuresOf>[]): void {
  const ratios = 'variant : usual  min..max  cpu/req  memory';
  const table = tableOf(`scenario  usual req/s  variant req/s  ${ratios}  p50 ms  p99 ms  faults`);
  for (const { scenario, usual, variant, ratio, cpuRatio, memoryRatio, faults, ...latency } of figures) {
    const range = `${ratio.min.toFixed(2)}..${ratio.max.toFixed(2)}`;
    const [inTurns, ...ofProcess] = [ratio, cpuRatio, memoryRatio].map(({ median }) => median.toFixed(2));
    const rates = [usual, variant].map(({ median }) => Math.round(median));
    const p50 = `${latency.usualP50Ms.median} / ${latency.variantP50Ms.median}`;
    const p99 = `${latency.usualP99Ms.median} / ${latency.variantP99Ms.median}`;
    table.push([scenario, ...rates, inTurns!, range, ...ofProcess, p50, p99, faults.join()]);
  }
  process.stdout.write(`${table}\n`);
}
