// Measures how the service scales: pets, connections, page depth, keys, modules, and tables larger than the memory of
// their database. All points of one kind are measured in alternating turns, so that other load on the machine affects all of them.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readGrowthOptions } from './command/options.js';
import { PLACES } from './command/places.js';
import { runProgram } from './command/program.js';
import { type Growth, inTurns, type Kind, type Place, placesOf } from './figures/growth.js';
import { curvesOf } from './figures/plots.js';
import { tableOf } from './figures/tables.js';
import { type FilledTable, fillTable, runScript } from './servers/database.js';
import { RunningServer } from './servers/running-server.js';
import { CONTENDERS, environmentOf } from './servers/servers.js';
import { machineFacts, quiet } from './servers/machine.js';
import type { ScenarioName } from './traffic/scenarios.js';
import type { Load } from './traffic/wrk.js';

const CONNECTIONS = 64;
const NUMBERS_OF_CONNECTIONS = [1, 8, 64, 256, 1_000];
const NUMBERS_OF_KEYS = [1, 10, 100, 1_000];
const NUMBERS_OF_MODULES = [1, 10, 50, 200];
const PAGES = [1, 10, 100, 1_000, 10_000, 100_000];
const PAGE = 20;
/** Buffer pool sizes in MiB; a table of ten million pets with its index takes about 850 MiB. */
const MEMORIES = [128, 512, 4_096];
const ALL: ScenarioName[] = ['list-equal', 'list-random', 'get-random', 'create'];
const SOME: ScenarioName[] = ['list-equal', 'get-random'];

const options = readGrowthOptions(process.argv.slice(2));
await runProgram(async (folder, signal) => {
  const { growth, machine } = await measureAll(folder, signal);
  for (const kind of growth) print(kind);
  await mkdir(options.out, { recursive: true });
  const report = { date: new Date().toISOString(), machine, options: { ...options, out: undefined }, growth };
  const file = join(options.out, `growth-${options.engine}`);
  await writeFile(`${file}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  await writeFile(`${file}.svg`, await curvesOf(growth));
  process.stdout.write(`Figures and plot: ${file}\n`);
  return growth.every(({ places }) => places.every(({ faults }) => faults.length === 0));
});

/** A service with its own table. */
interface Served extends FilledTable {
  readonly folder: string;
  readonly server: RunningServer;
  /** How many modules it has besides its own. */
  readonly modules: number;
}

async function measureAll(folder: string, signal: AbortSignal) {
  const { animals, bufferPool } = options;
  const served: Served[] = [];
  const serve = async (one: Pick<Served, 'animals' | 'modules'>, memory?: number) =>
    served.push(await start({ ...one, folder: join(folder, String(served.length)) }, memory, signal));
  try {
    for (const size of animals) await serve({ animals: size, modules: 0 }, bufferPool);
    const usual = usualOf(served);
    for (const modules of NUMBERS_OF_MODULES) await serve({ animals: usual.animals, modules });
    await quiet(signal);
    const growth: Growth[] = [];
    for (const kind of await kindsOf(served, signal)) growth.push(await measureKind(kind, signal));
    return { growth, machine: machineFacts(usual.database.version) };
  } finally {
    for (const { server, database } of served) {
      await server.stop();
      await database.stop();
    }
  }
}

/** @param bufferPool of MariaDB, in MiB */
async function start(
  one: Pick<Served, 'folder' | 'animals' | 'modules'>,
  bufferPool: number | undefined,
  signal: AbortSignal,
): Promise<Served> {
  const { folder, animals, modules } = one;
  const table = await fillTable(folder, { engine: options.engine, animals, bufferPool });
  const { database, key } = table;
  const own = { ...environmentOf('service', database.url, key), MORE_MODULES: String(modules) };
  const script = modules === 0 ? PLACES.main : PLACES.moreModules;
  try {
    const server = await RunningServer.start({ script, key: key.secret, environment: own }, signal);
    return { ...table, folder, modules, server };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Neither small enough to be always cached as a whole, nor large enough for its size to matter. */
function usualOf(served: readonly Served[]): Served {
  return served[Math.min(1, options.animals.length - 1)]!;
}

async function kindsOf(served: readonly Served[], signal: AbortSignal): Promise<Kind[]> {
  const usual = usualOf(served);
  const plain = served.filter(({ modules }) => modules === 0);
  const largest = plain.at(-1)!;
  const { limitMemory } = largest.database;
  const inTurn = (each: readonly Served[], at: (one: Served) => number) =>
    each.map((one) => ({ at: at(one), load: loadOf(one, {}, signal) }));
  const more = served.filter(({ modules }) => modules > 0);
  const connections = NUMBERS_OF_CONNECTIONS.map((at) => ({
    at,
    load: loadOf(usual, { connections: at }, signal),
  }));
  const kinds: Kind[] = [
    { what: 'animals', scenarios: ALL, places: inTurn(plain, ({ animals }) => animals) },
    { what: 'connections', scenarios: ALL, places: connections },
    { what: 'keys', scenarios: SOME, places: await keysOf(usual, signal) },
    { what: 'modules', scenarios: [...SOME, 'create'], places: inTurn(more, ({ modules }) => modules) },
    { what: 'page, one connection', scenarios: ['list-random'], places: await pagesOf(largest, signal) },
  ];
  if (limitMemory) {
    const places = MEMORIES.map((at) => ({
      at,
      prepare: () => limitMemory(at),
      load: loadOf(largest, {}, signal),
    }));
    kinds.push({ what: 'MiB for the largest table', scenarios: ALL, places });
  }
  return kinds;
}

/** Runs the load of a scenario against a service, with the given settings replaced. */
function loadOf({ server, traffic }: Served, given: Partial<Load>, signal: AbortSignal): Place['load'] {
  return async (scenario, timed) => {
    const made = await traffic.of(scenario, CONTENDERS.service.paging);
    return server.measure({ ...made, ...given }, { connections: CONNECTIONS, ...given, ...timed }, signal);
  };
}

/** The same requests with more and more keys, used in rotation. */
async function keysOf(served: Served, signal: AbortSignal): Promise<Place[]> {
  const printed = await runScript(served.database.url, PLACES.keys, String(NUMBERS_OF_KEYS.at(-1)));
  const keys = printed.trim().split('\n');
  return Promise.all(
    NUMBERS_OF_KEYS.map(async (at) => {
      const keysFile = join(served.folder, `keys-${at}.txt`);
      await writeFile(keysFile, `${keys.slice(0, at).join('\n')}\n`);
      return { at, load: loadOf(served, { keysFile }, signal) };
    }),
  );
}

/** One page per point, read by a single connection, so that no read is shared. */
function pagesOf(served: Served, signal: AbortSignal): Promise<Place[]> {
  const { animals, folder, traffic } = served;
  return Promise.all(
    PAGES.filter((page) => page * PAGE <= animals).map(async (at) => {
      const file = join(folder, `page-${at}.txt`);
      await writeFile(file, `GET\t${traffic.pageBefore(animals - (at - 1) * PAGE + 1, PAGE)}\t\n`);
      return { at, load: loadOf(served, { file, connections: 1 }, signal) };
    }),
  );
}

async function measureKind({ what, scenarios, places }: Kind, signal: AbortSignal): Promise<Growth> {
  const { turns, seconds } = options;
  const measured: Growth['places'][number][] = [];
  for (const scenario of scenarios) {
    const seen = await inTurns(scenario, places, turns, { seconds }, signal);
    measured.push(...placesOf(scenario, places, seen));
    process.stderr.write(`${what}: ${scenario}\n`);
  }
  return { what, places: measured };
}

function print({ what, places }: Growth): void {
  const head = 'scenario  req/s  min..max  p50 ms  p99 ms  CPU µs/req  RSS MiB  faults';
  const table = tableOf(`${what}  ${head}`);
  for (const { at, scenario, requestsPerSecond: rate, faults, ...one } of places) {
    const { p50Ms, p99Ms, cpuMicrosPerRequest, residentMiB } = one;
    const figures = [p50Ms, p99Ms, cpuMicrosPerRequest, residentMiB].map(({ median }) => median);
    table.push([at, scenario, rate.median, `${rate.min}..${rate.max}`, ...figures, faults.join()]);
  }
  process.stdout.write(`${table}\n`);
}
