import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.js';
import { AlreadyReported } from '../cli/errors.js';
import { BadConfiguration, Settings } from '../config/settings.js';
import { JoiningDataSource } from '../database/data-source.js';
import { Database } from '../database/database.js';
import { exists } from '../database/checks/sqlite-file-check.js';
import { Migrator } from '../database/migrations/migrator.js';
import { withTimeout } from '../process/timeout.js';
import { ok, problem } from './check.js';
import { type Diagnosis, Doctor } from './doctor.js';

/** A database that does not answer may keep its connections from closing. */
const DOCTOR_TIMEOUT_MS = 8_000;

/** `petstore doctor`: what is wrong and what to do. It changes nothing, and comes to an end within 10 s. */
export function doctorCommand({ run, print }: CommandContext): Command {
  return new Command('doctor')
    .description('Looks at configuration, database, keys and more. Ends with 1 if there is a problem.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const found = await inTime(run);
      print(json ? JSON.stringify(found) : found.map(lineOf).join('\n'));
      if (found.some(({ state }) => state === 'problem')) throw new AlreadyReported();
    });
}

/** All results, or those found before the timeout. */
async function inTime(run: CommandContext['run']): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  let isComplete = false;
  const looking = run(async (app) => {
    found.push({ check: 'configuration', ...ok('Every variable can be used.') });
    await examine(app, found);
    isComplete = true;
  });
  try {
    await withTimeout(looking, DOCTOR_TIMEOUT_MS, () => undefined);
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    return error.message.split('\n').map(mistake);
  }
  if (isComplete) return found;
  return [...found, { check: 'doctor', ...problem('Not everything was answered in time.', TRY_LATER) }];
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
    const remedy = 'See that it runs and can be reached from here, and look at DATABASE_URL.';
    found.push({ check: 'database', ...problem((error as Error).message, remedy) });
    return;
  }
  app.get(JoiningDataSource).open();
  found.push(...(await doctor.run('database')));
  if (await app.get(Migrator).isUpToDate()) found.push(...(await doctor.run('tables')));
}

function mistake(line: string): Diagnosis {
  const remedy = 'Set it as .env.example explains, in the environment or in .env.';
  return { check: 'configuration', ...problem(line, remedy) };
}

function lineOf({ check, state, what, remedy }: Diagnosis): string {
  const line = `${state.padEnd('warning'.length)}  ${check}: ${what}`;
  return remedy === undefined ? line : `${line}\n         ${remedy}`;
}
