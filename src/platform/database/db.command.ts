import { Command } from 'commander';
import { DataSource } from 'typeorm';
import type { CommandContext } from '../cli/command-context.js';
import { backUp } from './sqlite/backup.js';
import { Database } from './database.js';
import { Migrator } from './migrations/migrator.js';

/** `petstore db`: the schema, for operators. */
export function dbCommand({ run, print }: CommandContext): Command {
  const db = new Command('db').description('Shows and changes the schema of the database.');
  const withMigrator = <Result>(work: (migrator: Migrator) => Promise<Result>) =>
    run(async (app) => {
      await app.get(Database).connect({ patient: false });
      return work(app.get(Migrator));
    });

  db.command('migrate')
    .description('Applies the migrations that are missing. Safe to run several times, and at the same time.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const applied = await withMigrator((migrator) => migrator.migrate());
      if (json) return print(JSON.stringify({ applied }));
      for (const name of applied) print(`applied ${name}`);
      if (applied.length === 0) print('nothing to apply, the schema is up to date');
    });

  db.command('revert')
    .description('Takes back the newest migration, with the data it brought.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const reverted = await withMigrator((migrator) => migrator.revert());
      if (json) return print(JSON.stringify({ reverted: reverted ?? null }));
      print(reverted ? `reverted ${reverted}` : 'nothing to revert, no migration is applied');
    });

  db.command('status')
    .description('Lists every migration and whether this database has it.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const states = await withMigrator((migrator) => migrator.status());
      if (json) print(JSON.stringify(states));
      else for (const { name, applied } of states) print(`${applied ? 'applied' : 'missing'}  ${name}`);
    });

  db.command('backup')
    .description('Copies a SQLite database into a new file, while the service goes on.')
    .argument('<file>')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      await run(async (app) => {
        await app.get(Database).connect({ patient: false });
        await backUp(app.get(DataSource), file);
      });
      print(json ? JSON.stringify({ file }) : `copied to ${file}`);
    });
  return db;
}
