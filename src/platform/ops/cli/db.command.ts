import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { Command, InvalidArgumentError } from 'commander';
import { JoiningDataSource } from '../../database/units/data-source.js';
import { Database } from '../../database/database.js';
import { Migrator } from '../../database/migrations/migrator.js';
import { backUp } from '../../database/sqlite/backup.js';
import type { CommandContext } from './command-context.js';
import { AlreadyReported } from './errors.js';

interface Options {
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** `petstore db`: operators show and change the schema, and make backups. */
export function dbCommand(context: CommandContext): Command {
  const { run, print } = context;
  const db = new Command('db').description(
    'Shows and changes the schema of the database, and takes backups of SQLite.',
  );
  const connected = <Result>(work: (app: INestApplicationContext) => Promise<Result>) =>
    run(async (app) => {
      await app.get(Database).connect({ waitForServer: false });
      return work(app);
    });
  const command = (name: string, description: string) => db.command(name).description(description);
  const JSON_OPTION = ['--json', 'print JSON'] as const;

  command(
    'migrate',
    'Applies the missing migrations. It is safe to run it again, and on several machines at the same time.',
  )
    .option(...JSON_OPTION)
    .action(async ({ json }: Options) => {
      const applied = await connected((app) => app.get(Migrator).migrate());
      if (json) return print(JSON.stringify({ applied }));
      for (const name of applied) print(`applied ${name}`);
      if (applied.length === 0) print('nothing to apply, the schema is up to date');
    });

  command('revert', 'Asks, then reverts the newest migration. The data in its tables and columns is lost.')
    .option('--yes', 'do not ask')
    .option(...JSON_OPTION)
    .action(async ({ yes, json }: Options, self: Command) => {
      const reverted = await connected(async (app) => {
        const migrator = app.get(Migrator);
        const newest = await migrator.newest();
        if (newest === undefined) return null;
        if (!yes) await agree(newest, context, self);
        await migrator.revert(newest);
        return newest;
      });
      if (json) print(JSON.stringify({ reverted }));
      else print(reverted ? `reverted ${reverted}` : 'nothing to revert, no migration is applied');
    });

  command('status', 'Lists all migrations, and whether each is applied.')
    .option(...JSON_OPTION)
    .action(async ({ json }: Options) => {
      const states = await connected((app) => app.get(Migrator).status());
      if (json) print(JSON.stringify(states));
      else
        for (const { name, applied, known } of states)
          print(`${applied ? 'applied' : 'missing'}  ${name}${known ? '' : ', of another version'}`);
    });

  command('backup', 'Copies a SQLite database into a new file, while the service runs.')
    .argument('<file>', 'the path of the copy, which must not exist', fileName)
    .option(...JSON_OPTION)
    .action(async (file: string, { json }: Options) => {
      await connected((app) => backUp(app.get(JoiningDataSource), file));
      print(json ? JSON.stringify({ file }) : `copied to ${file}`);
    });
  return db;
}

/** @throws InvalidArgumentError for standard output, because SQLite copies only into files */
function fileName(text: string): string {
  if (text === '-') throw new InvalidArgumentError('The copy must be a file, such as petstore.backup.');
  return text;
}

/** Asks whether to revert a migration, and returns if the answer is yes. @throws AlreadyReported if it is not */
async function agree(migration: string, context: CommandContext, command: Command): Promise<void> {
  const { stdin, stderr } = context.terminal;
  const nobody = `error: there is no terminal for the question. Add --yes to revert ${migration} without it. Nothing was changed.`;
  if (!stderr.isTTY) command.error(nobody, { exitCode: 2 });
  const question = `${migration} is the newest migration. The data in its tables and columns is lost. Revert it?`;
  const asked = createInterface({ input: stdin, output: stderr });
  // An input that ends without an answer counts as a rejection.
  const left = once(asked, 'close').then(() => '');
  const answer = await Promise.race([asked.question(`${question} [y/N] `), left]);
  asked.close();
  if (/^y(?:es)?$/i.test(answer)) return;
  stderr.write('Nothing was changed.\n');
  throw new AlreadyReported();
}
