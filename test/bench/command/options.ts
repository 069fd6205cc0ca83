import { Command, Option } from 'commander';
import { LEVER_NAMES, type LeverName } from '../servers/levers.js';
import { BUFFER_POOL_MIB } from '../servers/mariadb-database.js';
import { count, counts, positive, setting, someOf } from './option-kinds.js';
import { SCENARIO_NAMES, type ScenarioName } from '../traffic/scenarios.js';
import { canServe, type Engine, ENGINES, SERVER_NAMES, type ServerName } from '../servers/servers.js';

/** What is measured, and for how long. */
export interface BenchOptions {
  readonly engine: Engine;
  readonly quick: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: readonly number[];
  /** Open-loop rate in requests per second; absent: half of Fastify's peak. */
  readonly rate?: number;
  readonly animals: number;
  /** InnoDB buffer pool of MariaDB, in MiB. */
  readonly bufferPool: number;
  readonly scenarios: readonly ScenarioName[];
  readonly servers: readonly ServerName[];
  /** Settings for the service only. */
  readonly env: Readonly<Record<string, string>>;
  /** Optimizations that the service runs without. */
  readonly without: readonly LeverName[];
  /** Results folder; absent: the default folder. */
  readonly out?: string;
}

const THOROUGH = { rounds: 3, seconds: 5, connections: [1, 8, 64, 256], animals: 100_000 };
const QUICK = { rounds: 1, seconds: 1.5, connections: [1, 64], animals: 10_000 };

/** @param args command-line arguments after the script name */
export function readOptions(args: readonly string[]): BenchOptions {
  const command = new Command('bench')
    .description('Measures the service beside the same API in other frameworks.')
    .addOption(new Option('--engine <name>', 'the database').choices(ENGINES).default('mariadb'))
    .option('--quick', 'about three minutes: shows that all works, not how fast it is', false)
    .option('--rounds <n>', `how often all is measured (${THOROUGH.rounds})`, count)
    .option('--seconds <n>', `how long each run takes (${THOROUGH.seconds})`, positive)
    .option(
      '--connections <list>',
      `at which numbers of connections (${THOROUGH.connections.join()})`,
      counts,
    )
    .option('--rate <n>', `requests per second of the open loop (half of Fastify's peak)`, positive)
    .option('--scenarios <list>', SCENARIO_NAMES.join(), someOf(SCENARIO_NAMES), [...SCENARIO_NAMES])
    .option('--servers <list>', SERVER_NAMES.join(), someOf(SERVER_NAMES))
    .option('--animals <n>', `how many the table holds (${THOROUGH.animals})`, count)
    .option('--buffer-pool <MiB>', `MariaDB's memory for tables`, count, BUFFER_POOL_MIB)
    .option('--env <KEY=VALUE>', 'a setting for the service; again for more', setting, {})
    .option(
      '--without <list>',
      `levers that the service lacks: ${LEVER_NAMES.join()}`,
      someOf(LEVER_NAMES),
      [],
    )
    .option('--out <folder>', 'where the results go (docs/benchmarks; with --quick a temporary folder)')
    .parse([...args], { from: 'user' });
  const given = command.opts<
    Partial<BenchOptions> &
      Pick<BenchOptions, 'engine' | 'quick' | 'bufferPool' | 'scenarios' | 'env' | 'without'>
  >();
  const servers = given.servers ?? SERVER_NAMES.filter((name) => canServe(name, given.engine));
  const unable = servers.find((name) => !canServe(name, given.engine));
  if (unable) command.error(`error: ${unable} does not know ${given.engine}`);
  return { ...(given.quick ? QUICK : THOROUGH), ...given, servers };
}
