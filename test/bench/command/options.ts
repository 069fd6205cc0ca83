import { Command, InvalidArgumentError, Option } from 'commander';
import { BUFFER_POOL_MIB } from '../servers/mariadb-database.js';
import { canServe, type Engine, ENGINES, SERVER_NAMES, type ServerName } from '../servers/servers.js';
import { SCENARIO_NAMES, type ScenarioName } from '../traffic/scenarios.js';
import { PLACES } from './places.js';

interface Common {
  readonly engine: Engine;
  readonly seconds: number;
  readonly bufferPool: number;
}

export interface BenchOptions extends Common {
  readonly quick: boolean;
  readonly rounds: number;
  readonly connections: readonly number[];
  /** Open-loop rate in requests per second; absent: half of Fastify's peak. */
  readonly rate?: number;
  readonly animals: number;
  readonly scenarios: readonly ScenarioName[];
  readonly servers: readonly ServerName[];
  readonly env: Readonly<Record<string, string>>;
  /** File for the figures; absent: the one in the documents. */
  readonly out?: string;
}

/** Without a rate it is a closed loop. */
interface PairOptions extends Omit<BenchOptions, 'quick' | 'rounds' | 'connections' | 'servers'> {
  readonly turns: number;
  readonly connections: number;
  /** The variant is this peer instead of the service, with its own table. */
  readonly against?: ServerName;
  /** The variant is the service built in this folder, another checkout of the repository. */
  readonly checkout?: string;
  /** Size of the variant's table; absent: both use the same table, or two of the same size. */
  readonly otherAnimals?: number;
}

interface GrowthOptions extends Common {
  readonly animals: readonly number[];
  readonly turns: number;
  readonly out: string;
}

interface ProfileOptions extends Pick<PairOptions, keyof Common | 'connections' | 'animals' | 'env'> {
  readonly server: ServerName;
  readonly scenario: ScenarioName;
}

interface BodiesOptions {
  /** The service built in this folder is measured, too. */
  readonly checkout?: string;
  readonly turns: number;
  /** File for the figures, as JSON. */
  readonly out?: string;
}

const THOROUGH = { rounds: 3, seconds: 5, connections: [1, 8, 64, 256], animals: 100_000 };
const QUICK = { rounds: 1, seconds: 1.5, connections: [1, 64], animals: 10_000 };

/** @param args command-line arguments after the script name */
export function readOptions(args: readonly string[]): BenchOptions {
  const command = commandOf('bench', 'Measures the service beside the same API in other frameworks.')
    .option('--quick', 'about three minutes: shows that all works, not how fast it is', false)
    .option('--rounds <n>', `how often all is measured (${THOROUGH.rounds})`, count)
    .option('--seconds <n>', `how long each run takes (${THOROUGH.seconds})`, positive)
    .option('--connections <list>', `how many at a time (${THOROUGH.connections.join()})`, counts)
    .option('--rate <n>', `requests per second of the open loop (half of Fastify's peak)`, positive)
    .option('--scenarios <list>', SCENARIO_NAMES.join(), someOf(SCENARIO_NAMES), [...SCENARIO_NAMES])
    .option('--servers <list>', SERVER_NAMES.join(), someOf(SERVER_NAMES))
    .option('--animals <n>', `how many the table holds (${THOROUGH.animals})`, count)
    .option('--env <KEY=VALUE>', 'a setting for the service; again for more', setting, {})
    .option('--out <folder>', 'where the results go (docs/benchmarks; with --quick a temporary folder)')
    .parse([...args], { from: 'user' });
  const given = command.opts<Partial<BenchOptions> & Omit<BenchOptions, 'servers' | keyof typeof QUICK>>();
  const servers = given.servers ?? SERVER_NAMES.filter((name) => canServe(name, given.engine));
  demandEngine(command, given.engine, ...servers);
  return { ...(given.quick ? QUICK : THOROUGH), ...given, servers };
}

export function readPairOptions(args: readonly string[]): PairOptions {
  const peers = SERVER_NAMES.filter((name) => name !== 'service');
  const command = commandOf('bench:pair', 'Measures the service and a variant of it in turns.')
    .addOption(new Option('--against <peer>', 'a peer in the place of the variant').choices(peers))
    .option('--checkout <folder>', 'another checkout in the place of the variant')
    .option('--env <KEY=VALUE>', 'a setting for the variant; again for more', setting, {})
    .option('--other-animals <n>', 'how many the table of the variant holds', count)
    .option('--scenarios <list>', SCENARIO_NAMES.join(), someOf(SCENARIO_NAMES), [...SCENARIO_NAMES])
    .option('--turns <n>', 'how often each is measured', count, 9)
    .option('--seconds <n>', 'how long a turn takes', positive, 1)
    .option('--connections <n>', 'how many at a time', count, 64)
    .option('--rate <n>', 'requests per second of an open loop (a closed loop)', positive)
    .option('--animals <n>', 'how many the table holds', count, 100_000)
    .option('--out <file>', 'where the figures go besides')
    .parse([...args], { from: 'user' });
  const given = command.opts<PairOptions>();
  if (given.checkout && given.against) command.error('error: --checkout cannot be combined with --against');
  demandEngine(command, given.engine, given.against ?? 'service');
  return given;
}

export function readGrowthOptions(args: readonly string[]): GrowthOptions {
  const words = 'Measures the service as animals, connections, pages, keys and tables grow.';
  return commandOf('bench:growth', words, 4_096)
    .option('--animals <list>', 'in how large tables', counts, [10_000, 100_000, 1_000_000, 10_000_000])
    .option('--turns <n>', 'how often each is measured', count, 3)
    .option('--seconds <n>', 'how long a turn takes', positive, 1)
    .option('--out <folder>', 'where the results go', PLACES.results)
    .parse([...args], { from: 'user' })
    .opts<GrowthOptions>();
}

export function readProfileOptions(args: readonly string[]): ProfileOptions {
  const command = commandOf('bench:profile', 'Says where the service, or a peer, spends its time.')
    .addOption(new Option('--server <name>', 'who is watched').choices(SERVER_NAMES).default('service'))
    .addOption(new Option('--scenario <name>', 'the load').choices(SCENARIO_NAMES).default('list-equal'))
    .option('--seconds <n>', 'how long it is watched', positive, 10)
    .option('--connections <n>', 'how many at a time', count, 64)
    .option('--animals <n>', 'how many the table holds', count, 100_000)
    .option('--env <KEY=VALUE>', 'a setting for the service; again for more', setting, {})
    .parse([...args], { from: 'user' });
  const given = command.opts<ProfileOptions>();
  demandEngine(command, given.engine, given.server);
  return given;
}

export function readBodiesOptions(args: readonly string[]): BodiesOptions {
  return new Command('bench:bodies')
    .description('Measures what hostile bodies cost the service.')
    .option('--checkout <folder>', 'another checkout, measured in turns with this one')
    .option('--turns <n>', 'how often each body is sent', count, 3)
    .option('--out <file>', 'where the figures go besides')
    .parse([...args], { from: 'user' })
    .opts<BodiesOptions>();
}

const commandOf = (name: string, description: string, bufferPool = BUFFER_POOL_MIB) =>
  new Command(name)
    .description(description)
    .addOption(new Option('--engine <name>', 'the database').choices(ENGINES).default('mariadb'))
    .option('--buffer-pool <MiB>', `MariaDB's memory for tables`, count, bufferPool);

function demandEngine(command: Command, engine: Engine, ...servers: ServerName[]): void {
  const unable = servers.find((name) => !canServe(name, engine));
  if (unable) command.error(`error: ${unable} does not know ${engine}`);
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1e9)) throw new InvalidArgumentError('Not a positive number.');
  return value;
}

function count(text: string): number {
  if (!Number.isInteger(positive(text))) throw new InvalidArgumentError('Not a whole number.');
  return Number(text);
}

const counts = (text: string): number[] => text.split(',').map(count);

const someOf =
  <Name extends string>(names: readonly Name[]) =>
  (text: string): Name[] => {
    const wanted = text.split(',');
    const unknown = wanted.find((name) => !names.includes(name as Name));
    if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${names.join(', ')}.`);
    return names.filter((name) => wanted.includes(name));
  };

function setting(text: string, before: Record<string, string>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Must look like KEY=VALUE.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
