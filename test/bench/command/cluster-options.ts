import { join } from 'node:path';
import { Command } from 'commander';
import { BUFFER_POOL_MIB } from '../servers/mariadb-database.js';
import { count, counts, positive, someOf } from './option-kinds.js';
import { PLACES } from './places.js';
import { SCENARIO_NAMES, type ScenarioName } from '../traffic/scenarios.js';

interface ClusterOptions {
  readonly scenarios: readonly ScenarioName[];
  readonly turns: number;
  readonly seconds: number;
  readonly connections: readonly number[];
  readonly animals: number;
  readonly bufferPool: number;
  readonly out: string;
}

/** @param args command-line arguments after the script name */
export function readClusterOptions(args: readonly string[]): ClusterOptions {
  return new Command('bench:cluster')
    .description('Measures what one MariaDB and a Galera cluster of three cost in turns.')
    .option('--scenarios <list>', SCENARIO_NAMES.join(), someOf(SCENARIO_NAMES), [...SCENARIO_NAMES])
    .option('--turns <n>', 'how often each is measured', count, 3)
    .option('--seconds <n>', 'how long a turn takes', positive, 5)
    .option('--connections <list>', 'how many at a time; one tells what is shared by none', counts, [1, 64])
    .option('--animals <n>', 'how many the table holds', count, 100_000)
    .option('--buffer-pool <MiB>', 'memory of each MariaDB for tables', count, BUFFER_POOL_MIB)
    .option('--out <file>', 'where the figures go', join(PLACES.results, 'cluster.json'))
    .parse([...args], { from: 'user' })
    .opts<ClusterOptions>();
}
