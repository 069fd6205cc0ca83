import type { BenchOptions } from '../command/options.js';
import type { BenchDatabase, BenchKey } from '../servers/database.js';
import type { RunningServer } from '../servers/running-server.js';
import { CONTENDERS, type ServerName } from '../servers/servers.js';
import { type Agreement, withServer } from '../servers/with-server.js';
import { quiet, undisturbed } from '../servers/machine.js';
import { additionsOwed, type ScenarioName } from '../traffic/scenarios.js';
import type { Traffic } from '../traffic/traffic.js';
import { WARM_UP } from '../traffic/wrk.js';
import { inWords, type Life, type Run, type Shape } from './results.js';

/** Connections at which Fastify's peak is measured, and over which requests are sent at a rate. */
const RATE_CONNECTIONS = 64;

export interface Bench {
  readonly options: BenchOptions;
  readonly database: BenchDatabase;
  readonly key: BenchKey;
  readonly traffic: Traffic;
  readonly agreement: Agreement;
  readonly signal: AbortSignal;
}
type Rates = ReadonlyMap<ScenarioName, number>;

/** Each round starts with a different server, so that none is always first on a machine that warms up or becomes busy. */
export async function measureRounds(bench: Bench): Promise<Life[]> {
  const { rounds, servers } = bench.options;
  const rates = await ratesOf(bench);
  const lives: Life[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < servers.length; i++)
      lives.push(await measure(servers[(round + i) % servers.length]!, bench, rates));
  }
  return lives;
}

/** The rate for every server in each scenario: half of Fastify's peak throughput, unless one is given. */
async function ratesOf(bench: Bench): Promise<Rates> {
  const { options, signal } = bench;
  const { rate, scenarios } = options;
  if (rate !== undefined) return new Map(scenarios.map((scenario) => [scenario, rate]));
  await quiet(signal);
  return withServer('fastify', bench, async (server) => {
    const rates = new Map<ScenarioName, number>();
    for (const scenario of scenarios) {
      await warmUp('fastify', server, scenario, bench);
      const peak = () => measureRun('fastify', server, scenario, { connections: RATE_CONNECTIONS }, bench);
      const { requestsPerSecond } = await undisturbed(peak, signal);
      rates.set(scenario, Math.round(requestsPerSecond / 2));
    }
    return rates;
  });
}

async function measure(name: ServerName, bench: Bench, rates: Rates): Promise<Life> {
  const { options, signal } = bench;
  await quiet(signal);
  return withServer(name, bench, async (server) => {
    const restMiB = server.usage().residentMiB;
    const runs: Run[] = [];
    for (const scenario of options.scenarios) {
      // Warm-up directly before the measurement: otherwise rows added by other scenarios would still be on their way to disk.
      await warmUp(name, server, scenario, bench);
      const shapes: Shape[] = options.connections.map((connections) => ({ connections }));
      shapes.push({ connections: RATE_CONNECTIONS, rate: rates.get(scenario)! });
      for (const shape of shapes)
        runs.push(await undisturbed(() => measureRun(name, server, scenario, shape, bench), signal));
    }
    return { server: name, readyMs: server.readyMs, restMiB, peakMiB: server.usage().peakMiB, runs };
  });
}

async function warmUp(
  name: ServerName,
  server: RunningServer,
  scenario: ScenarioName,
  { options, traffic, signal }: Bench,
): Promise<void> {
  const made = await traffic.of(scenario, CONTENDERS[name].paging);
  const shape = options.quick ? { ...WARM_UP, seconds: WARM_UP.seconds / 4 } : WARM_UP;
  await server.measure(made, shape, signal);
}

/** Runs one scenario in one shape: a number of connections, or a rate. */
async function measureRun(
  name: ServerName,
  server: RunningServer,
  scenario: ScenarioName,
  shape: Shape,
  { options, database, traffic, signal }: Bench,
): Promise<Run> {
  const made = await traffic.of(scenario, CONTENDERS[name].paging);
  const animalsBefore = await database.countAfter(options.animals);
  const timed = { ...shape, seconds: options.seconds };
  const { cpuMicrosPerRequest, ...seen } = await server.measure(made, timed, signal);
  const added = (await database.countAfter(options.animals)) - animalsBefore;
  const lost = additionsOwed(made.requests, seen.requests, shape.connections) - added;
  const faults = lost > 0 ? [...seen.faults, `${lost} new animals are not in the table`] : seen.faults;
  process.stderr.write(
    `${name}: ${scenario}, ${inWords(shape)}: ${Math.round(seen.requestsPerSecond)}/s ${faults.join(', ')}\n`,
  );
  const cpuSecondsPer1000 = cpuMicrosPerRequest / 1000;
  return { server: name, scenario, ...shape, ...seen, faults, cpuSecondsPer1000 };
}
