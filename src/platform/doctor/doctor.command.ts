import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import type { RunInApp } from '../cli/run-in-app.js';
import { BadConfiguration } from '../config/read-settings.js';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { Migrator } from '../database/migrator.js';
import { isThere } from '../database/sqlite-file-check.js';
import { Sql } from '../database/sql.js';
import { ok, problem } from './check.js';
import { type Diagnosis, Doctor } from './doctor.js';

/** A database that does not answer may keep its connections from closing: after so long, in ms, nobody waits any more. */
const END = 8_000;

/** `petstore doctor`: what is wrong and what to do. It changes nothing, and comes to an end within 10 s. */
export function doctorCommand(run: RunInApp, print: (text: string) => void): Command {
  return new Command('doctor')
    .description('Looks at configuration, database, keys and more. Ends with 1 if there is a problem.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const found: Diagnosis[] = [];
      let told = false;
      const tell = () => {
        told = true;
        process.exitCode = found.some(({ state }) => state === 'problem') ? 1 : 0;
        print(json ? JSON.stringify(found) : found.map(lineOf).join('\n'));
      };
      const giveUp = () => {
        if (!told)
          found.push({ check: 'doctor', ...problem('Not everything was answered in time.', TRY_LATER) });
        if (!told) tell();
        process.exit();
      };
      const end = setTimeout(giveUp, END).unref();
      try {
        await run(async (app) => {
          found.push({ check: 'configuration', ...ok('Every variable can be used.') });
          await examine(app, found);
          tell();
        });
      } catch (error) {
        if (!(error instanceof BadConfiguration)) throw error;
        found.push(...error.message.split('\n').map(mistake));
        tell();
      } finally {
        clearTimeout(end);
      }
    });
}

const TRY_LATER = 'See what the database is busy with, then run the doctor again.';

async function examine(app: INestApplicationContext, found: Diagnosis[]): Promise<void> {
  const doctor = app.get(Doctor);
  found.push(...(await doctor.lookAt('nothing')));
  // Opening a file that is not there would make it.
  if (!isThere(app.get(Settings).database)) return;
  const database = app.get(Database);
  try {
    await database.connect({ patient: false });
  } catch (error) {
    const remedy = 'See that it runs and can be reached from here, and look at DATABASE_URL.';
    found.push({ check: 'database', ...problem((error as Error).message, remedy) });
    return;
  }
  app.get(Sql).open();
  found.push(...(await doctor.lookAt('database')));
  if (await app.get(Migrator).isUpToDate()) found.push(...(await doctor.lookAt('tables')));
}

function mistake(line: string): Diagnosis {
  const remedy = 'Set it as .env.example explains, in the environment or in .env.';
  return { check: 'configuration', ...problem(line, remedy) };
}

function lineOf({ check, state, what, remedy }: Diagnosis): string {
  const line = `${state.padEnd('warning'.length)}  ${check}: ${what}`;
  return remedy === undefined ? line : `${line}\n         ${remedy}`;
}
