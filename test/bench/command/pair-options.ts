import { Command, Option } from 'commander';
import { LEVER_NAMES, type LeverName } from '../servers/levers.js';
import { BUFFER_POOL_MIB } from '../servers/mariadb-database.js';
import { count, positive, setting, someOf } from './option-kinds.js';
import { SCENARIO_NAMES, type ScenarioName } from '../traffic/scenarios.js';
import { canServe, type Engine, ENGINES, SERVER_NAMES, type ServerName } from '../servers/servers.js';

export interface PairOptions {
  readonly engine: Engine;
  readonly scenarios: readonly ScenarioName[];
  readonly turns: number;
  readonly seconds: number;
  readonly connections: number;
  /** Open-loop rate in requests per second; absent: closed loop. */
  readonly rate?: number;
  readonly animals: number;
  readonly bufferPool: number;
  readonly without: readonly LeverName[];
  readonly env: Readonly<Record<string, string>>;
  /** The variant is this peer instead of the service, with its own table. */
  readonly against?: ServerName;
  /** The variant is the service built in this folder, another checkout of the repository. */
  readonly checkout?: string;
  /** Size of the variant's table; absent: both use the same table, or two of the same size. */
  readonly otherAnimals?: number;
  /** File for the figures. */
  readonly out?: string;
}

/** @param args command-line arguments after the script name */
export function readPairOptions(args: readonly string[]): PairOptions {
  const command = new Command('bench:pair')
    .description('Measures the service and a variant of it in turns: what the machine does meets both.')
    .addOption(
      new Option('--against <peer>', 'a peer in the place of the variant').choices(
        SERVER_NAMES.filter((name) => name !== 'service'),
      ),
    )
    .option('--checkout <folder>', 'another checkout in the place of the variant')
    .option(
      '--without <list>',
      `levers that the variant lacks: ${LEVER_NAMES.join()}`,
      someOf(LEVER_NAMES),
      [],
    )
    .option('--env <KEY=VALUE>', 'a setting for the variant; again for more', setting, {})
    .option('--other-animals <n>', 'how many the table of the variant holds', count)
    .addOption(new Option('--engine <name>', 'the database').choices(ENGINES).default('mariadb'))
    .option('--scenarios <list>', SCENARIO_NAMES.join(), someOf(SCENARIO_NAMES), [...SCENARIO_NAMES])
    .option('--turns <n>', 'how often each is measured', count, 9)
    .option('--seconds <n>', 'how long a turn takes', positive, 1)
    .option('--connections <n>', 'how many at a time', count, 64)
    .option(
      '--rate <n>',
      'requests per second of an open loop (each connection as soon as it is answered)',
      positive,
    )
    .option('--animals <n>', 'how many the table holds', count, 100_000)
    .option('--buffer-pool <MiB>', `MariaDB's memory for tables`, count, BUFFER_POOL_MIB)
    .option('--out <file>', 'where the figures go besides')
    .parse([...args], { from: 'user' });
  const given = command.opts<PairOptions>();
  if (given.checkout && (given.against || given.without.length > 0))
    command.error('error: --checkout cannot be combined with --against or --without');
  if (given.against && !canServe(given.against, given.engine))
    command.error(`error: ${given.against} does not know ${given.engine}`);
  return given;
}
