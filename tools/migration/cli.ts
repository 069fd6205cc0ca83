import 'reflect-metadata';
import { Command, CommanderError } from 'commander';
import { loadEnvFile } from '../../src/platform/config/env-file.js';
import { BadConfiguration } from '../../src/platform/config/settings.js';
import { check } from './check.js';
import { generate } from './generate.js';
import { Refusal } from './refusal.js';

/**
 * Runs the script of package.json that is the first of `args`. Sets the exit code of the process: 2 for wrong usage, 1 for a
 * failure.
 */
async function run(args: readonly string[]): Promise<void> {
  const program = new Command('npm run').exitOverride();
  program
    .command('migration:generate')
    .description(
      'Writes the next migration of a module: the difference between its schemas and its migrations.',
    )
    .argument('<module>', 'the name of its folder, such as pets')
    .argument('<name>', 'what the migration does, such as add-birthday')
    .option('--confirm', 'write it even if it drops or renames columns or tables')
    .showHelpAfterError()
    .action(generated);
  program
    .command('migration:check')
    .description('Compares the schemas with databases that have every migration; fails if they differ.')
    .action(checked);
  try {
    const mistakes = loadEnvFile(process.env);
    if (mistakes.length > 0) throw new BadConfiguration(mistakes.join('\n'));
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof Refusal || error instanceof BadConfiguration) console.error(error.message);
    else console.error(error);
  }
}

async function generated(module: string, name: string, { confirm }: { confirm?: true }): Promise<void> {
  const { files, warnings } = await generate(module, name, process.env, confirm);
  for (const warning of warnings) console.error(`warning: ${warning}`);
  for (const file of files) console.log(`wrote ${file}`);
  console.log('next: read it, then npm run format && npm run migration:check');
}

async function checked(): Promise<void> {
  const found = Object.entries(await check(process.env)).filter(([, statements]) => statements.length > 0);
  if (found.length === 0) return console.log('no difference');
  for (const [engine, statements] of found)
    console.log([`-- ${engine}`, ...statements.map((statement) => `${statement};`)].join('\n'));
  console.error(
    'The migrations do not contain these statements. Write the next one with npm run migration:generate.',
  );
  process.exitCode = 1;
}

await run(process.argv.slice(2));
