import { Command, Option } from 'commander';
import { count, counts, positive } from './option-kinds.js';
import { type Engine, ENGINES } from '../servers/servers.js';
import { PLACES } from './places.js';

export interface GrowthOptions {
  readonly engine: Engine;
  /** Table sizes, one table each. */
  readonly animals: readonly number[];
  readonly turns: number;
  readonly seconds: number;
  /** InnoDB buffer pool of MariaDB, in MiB. */
  readonly bufferPool: number;
  /** Output folder. */
  readonly out: string;
}

/** @param args command-line arguments after the script name */
export function readGrowthOptions(args: readonly string[]): GrowthOptions {
  return new Command('bench:growth')
    .description('Measures the service as animals, connections, pages, keys and tables grow.')
    .addOption(new Option('--engine <name>', 'the database').choices(ENGINES).default('mariadb'))
    .option('--animals <list>', 'in how large tables', counts, [10_000, 100_000, 1_000_000, 10_000_000])
    .option('--turns <n>', 'how often each is measured', count, 3)
    .option('--seconds <n>', 'how long a turn takes', positive, 1)
    .option('--buffer-pool <MiB>', `MariaDB's memory for tables`, count, 4_096)
    .option('--out <folder>', 'where the results go', PLACES.results)
    .parse([...args], { from: 'user' })
    .opts<GrowthOptions>();
}
