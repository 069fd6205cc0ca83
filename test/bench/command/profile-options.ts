import { Command, Option } from 'commander';
import { count, positive, setting } from './option-kinds.js';
import { SCENARIO_NAMES, type ScenarioName } from '../traffic/scenarios.js';
import { type Engine, ENGINES, SERVER_NAMES, type ServerName } from '../servers/servers.js';

interface ProfileOptions {
  readonly server: ServerName;
  readonly scenario: ScenarioName;
  readonly engine: Engine;
  readonly seconds: number;
  readonly connections: number;
  readonly animals: number;
  readonly env: Readonly<Record<string, string>>;
}

/** @param args command-line arguments after the script name */
export function readProfileOptions(args: readonly string[]): ProfileOptions {
  return new Command('bench:profile')
    .description('Says where the service, or a peer, spends its time under the load of one scenario.')
    .addOption(new Option('--server <name>', 'who is watched').choices(SERVER_NAMES).default('service'))
    .addOption(new Option('--scenario <name>', 'the load').choices(SCENARIO_NAMES).default('list-equal'))
    .addOption(new Option('--engine <name>', 'the database').choices(ENGINES).default('mariadb'))
    .option('--seconds <n>', 'how long it is watched', positive, 10)
    .option('--connections <n>', 'how many at a time', count, 64)
    .option('--animals <n>', 'how many the table holds', count, 100_000)
    .option('--env <KEY=VALUE>', 'a setting for the service; again for more', setting, {})
    .parse([...args], { from: 'user' })
    .opts<ProfileOptions>();
}
