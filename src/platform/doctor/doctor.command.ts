import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.js';
import { AlreadyReported } from '../cli/errors.js';
import { BadConfiguration, Settings } from '../config/settings.js';
import { misspelt, strayLines } from '../config/unknown-variables.js';
import { JoiningDataSource } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { DatabaseUnusable } from '../database/errors.js';
import { exists } from '../database/checks/sqlite-file-check.js';
import { Migrator } from '../database/migrations/migrator.js';
import { withTimeout } from '../process/timeout.js';
import { type CheckResult, ok, problem, type Repair, warning } from './check.js';
import { type Diagnosis, Doctor } from './doctor.js';

/** Less than 10 s, because closing the connections may hang if the database does not answer. */
const DOCTOR_TIMEOUT_MS = 8_000;

interface Options {
  readonly json?: true;
  readonly fix?: true;
  readonly yes?: true;
}

/** `petstore doctor`: reports problems and remedies within 10 s. Only `--fix` changes something. `variables` are all. */
export function doctorCommand(context: CommandContext, variables: readonly string[]): Command {
  const { run, runWithDatabase, print, terminal } = context;
  return new Command('doctor')
    .description('Checks configuration, database, keys and more. Exits with 1 if there is a problem.')
    .option('--json', 'print JSON')
    .option('--fix', 'mend what can be mended, each after asking, then look again')
    .option('--yes', 'with --fix: ask nothing')
    .action(async ({ json, fix, yes }: Options) => {
      if (fix) await runWithDatabase(async (app) => mend(await app.get(Doctor).repairs(), context, yes));
      const found = await inTime(run, strangeIn(terminal.env, variables));
      print(json ? JSON.stringify(found) : found.map(lineOf).join('\n'));
      if (found.some(({ state }) => state === 'problem')) throw new AlreadyReported();
    });
}

/** All results, or those that were found before the timeout. */
async function inTime(run: CommandContext['run'], strange: CheckResult[]): Promise<Diagnosis[]> {
  const found: Diagnosis[] = strange.map((result) => ({ check: 'configuration', ...result }));
  let isComplete = false;
  const looking = run(async (app) => {
    found.unshift({ check: 'configuration', ...ok('The configuration is valid.') });
    await examine(app, found);
    isComplete = true;
  });
  try {
    await withTimeout(looking, DOCTOR_TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    return [...error.message.split('\n').map(mistake), ...found];
  }
  if (isComplete) return found;
  return [...found, { check: 'doctor', ...problem('Some checks did not finish in time.', TRY_LATER) }];
}

const TRY_LATER = 'See what the database is busy with, then run the doctor again.';

async function examine(app: INestApplicationContext, found: Diagnosis[]): Promise<void> {
  const doctor = app.get(Doctor);
  found.push(...(await doctor.run('nothing')));
  // Opening a file that does not exist would create it.
  if (!exists(app.get(Settings).database)) return;
  const database = app.get(Database);
  try {
    await database.connect({ waitForServer: false });
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error;
    found.push({ check: 'database', ...problem(error.what, error.remedy) });
    return;
  }
  app.get(JoiningDataSource).open();
  found.push(...(await doctor.run('database')));
  // The check of the schema has reported why the database does not answer.
  if (
    !(await app
      .get(Migrator)
      .isUpToDate()
      .catch(() => false))
  )
    return;
  const tables = await doctor.run('schema');
  found.push(...tables);
  if (tables.every(({ state }) => state === 'ok')) found.push(...(await doctor.run('tables')));
}

/** Variables and lines of `.env` that look like settings but are none. */
function strangeIn(environment: NodeJS.ProcessEnv, variables: readonly string[]): CheckResult[] {
  const names = [...misspelt(environment, variables)].map(([name, meant]) =>
    warning(`${name} is not a setting.`, `Did you mean ${meant}?`),
  );
  const lines = strayLines('.env').map((line) =>
    warning(`Line ${line} of .env is ignored.`, 'Write it as NAME=value, or begin it with #.'),
  );
  return [...names, ...lines];
}

async function mend(
  repairs: readonly Repair[],
  { confirm, terminal: { stderr } }: CommandContext,
  yes?: true,
): Promise<void> {
  if (repairs.length === 0) return;
  if (!yes && !stderr.isTTY) throw new Error('There is no terminal to ask on: --yes repairs without asking.');
  for (const { what, run } of repairs) {
    if (!yes && !(await confirm(`${what}?`))) continue;
    await run();
    stderr.write(`Done: ${what}.\n`);
  }
}

function mistake(line: string): Diagnosis {
  const remedy = 'Set it as .env.example explains, in the environment or in .env.';
  return { check: 'configuration', ...problem(line, remedy) };
}

function lineOf({ check, state, what, remedy }: Diagnosis): string {
  const line = `${state.padEnd('warning'.length)}  ${check}: ${what}`;
  return remedy === undefined ? line : `${line}\n         ${remedy}`;
}
