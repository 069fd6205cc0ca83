import { Command } from 'commander';
import { DataSource } from 'typeorm';
import type { CommandContext } from '../cli/command-context.js';
import { AlreadyReported } from '../cli/errors.js';
import { backUp } from './sqlite/backup.js';
import { Database } from './database.js';
import { MigrationGenerator } from './migrations/migration-generator.js';
import { Migrator } from './migrations/migrator.js';
import { SchemaDifference } from './migrations/schema-difference.js';

/** `petstore db`: the schema, for operators. */
export function dbCommand({ run, print }: CommandContext): Command {
  const db = new Command('db').description('Shows and changes the schema of the database.');
  const withMigrator = <Result>(work: (migrator: Migrator) => Promise<Result>) =>
    run(async (app) => {
      await app.get(Database).connect({ waitForServer: false });
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

  db.command('diff')
    .description(
      'Prints the statements that would bring the tables to the schemas. Ends with 1 if there are any.',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { forwards } = await run(async (app) => {
        await app.get(Database).connect({ waitForServer: false });
        return app.get(SchemaDifference).find();
      });
      if (json) print(JSON.stringify({ statements: forwards }));
      else if (forwards.length === 0) print('no difference');
      else print(forwards.map((statement) => `${statement};`).join('\n'));
      if (forwards.length > 0) throw new AlreadyReported();
    });

  db.command('generate')
    .description(
      'Writes the next migration of a module from the difference between its schemas and its migrations.',
    )
    .argument('<name>', 'what it does, such as add-birthday')
    .option('--module <name>', 'the module, if several have changed')
    .option('--json', 'print JSON')
    .action(async (name: string, { module, json }: { module?: string; json?: boolean }) => {
      const files = await run(async (app) => {
        await app.get(Database).connect({ waitForServer: false });
        return app.get(MigrationGenerator).generate(name, module);
      });
      print(json ? JSON.stringify({ files }) : files.map((file) => `wrote ${file}`).join('\n'));
    });

  db.command('backup')
    .description('Copies a SQLite database into a new file, while the service goes on.')
    .argument('<file>')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      await run(async (app) => {
        await app.get(Database).connect({ waitForServer: false });
        await backUp(app.get(DataSource), file);
      });
      print(json ? JSON.stringify({ file }) : `copied to ${file}`);
    });
  return db;
}
