import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.js';
import { TimeoutOption } from '../cli/deadline.js';
import { JoiningDataSource } from './data-source.js';
import { Database } from './database.js';
import { plansOf, textOfPlan } from './migrations/migration-plan.js';
import { Migrator } from './migrations/migrator.js';
import { revert } from './revert.js';
import { backUp } from './sqlite/backup.js';

interface Options {
  readonly json?: boolean;
  readonly plan?: boolean;
  readonly yes?: boolean;
}

/** `petstore db`: shows and changes the schema, for operators. */
export function dbCommand(context: CommandContext): Command {
  const { run, print } = context;
  const db = new Command('db').description('Shows and changes the schema of the database.');
  const connected = <Result>(work: (app: INestApplicationContext) => Promise<Result>) =>
    run(async (app) => {
      await app.get(Database).connect({ waitForServer: false });
      return work(app);
    });
  const command = (name: string, description: string) => db.command(name).description(description);
  const JSON_OPTION = ['--json', 'print JSON'] as const;
  /** No time limit: changing a large table takes long, and an aborted change would have to start again. */
  const asLongAsItTakes = () => new TimeoutOption('none', 'petstore db status');

  command(
    'migrate',
    'Applies the migrations that are missing. Safe to run several times, and at the same time.',
  )
    .option('--plan', 'print the statements instead, and change nothing')
    .option(...JSON_OPTION)
    .addOption(asLongAsItTakes())
    .action(async ({ plan, json }: Options) => {
      if (plan) {
        const planned = await connected((app) => plansOf(app.get(JoiningDataSource), app.get(Migrator)));
        if (json) print(JSON.stringify({ plan: planned }));
        else print(planned.map(textOfPlan).join('\n') || 'nothing to apply, the schema is up to date');
        return;
      }
      const applied = await connected((app) => app.get(Migrator).migrate());
      if (json) return print(JSON.stringify({ applied }));
      for (const name of applied) print(`applied ${name}`);
      if (applied.length === 0) print('nothing to apply, the schema is up to date');
    });

  command('revert', 'Reverts the newest migration, after showing what will be lost, and asking.')
    .option('--yes', 'ask nothing')
    .option(...JSON_OPTION)
    .addOption(asLongAsItTakes())
    .action(async ({ yes, json }: Options, self: Command) => {
      const reverted = await connected((app) => revert(app, context, self, { yes, json }));
      if (json) print(JSON.stringify(reverted ?? { reverted: null }));
      else print(reverted ? `reverted ${reverted.reverted}` : 'nothing to revert, no migration is applied');
    });

  command('status', 'Lists every migration and whether this database has it.')
    .option(...JSON_OPTION)
    .action(async ({ json }: Options) => {
      const states = await connected((app) => app.get(Migrator).status());
      if (json) print(JSON.stringify(states));
      else for (const { name, applied } of states) print(`${applied ? 'applied' : 'missing'}  ${name}`);
    });

  command('backup', 'Copies a SQLite database into a new file, while the service runs.')
    .argument('<file>')
    .option(...JSON_OPTION)
    .addOption(new TimeoutOption('none'))
    .action(async (file: string, { json }: Options) => {
      await connected((app) => backUp(app.get(JoiningDataSource), file));
      print(json ? JSON.stringify({ file }) : `copied to ${file}`);
    });
  return db;
}
