import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.js';
import { AlreadyReported } from '../cli/errors.js';
import { BadConfiguration, Settings } from '../../config/settings.js';
import { JoiningDataSource } from '../../database/units/data-source.js';
import { DatabaseUnusable, reasonOf } from '../../database/errors.js';
import { withTimeout } from '../process/timeout.js';
import * as checks from './checks.js';
import { type Finding, ok, problem } from './checks.js';

/** For all checks together. Closing connections that hang takes 2 s more, and a person waits 10 s at most. */
const TIMEOUT_MS = 5_000;

type Diagnosis = { readonly check: string } & Finding;
type Within = (check: string, run: () => Promise<Finding[]>) => Promise<Diagnosis[]>;

/** `petstore doctor`: shows what is wrong and what to do. It leaves everything as it is. */
export function doctorCommand({ run, print }: CommandContext): Command {
  return new Command('doctor')
    .description(
      'Checks settings, database, migrations, leases, writes, Redis and port. The exit code is 1 if there is a problem.',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const found = await run(examine).catch(wrongSettings);
      print(json ? JSON.stringify(found) : found.map(lineOf).join('\n'));
      if (found.some(({ state }) => state === 'problem')) throw new AlreadyReported();
    });
}

/** The mistakes in the settings. @throws `error` if it is another error */
function wrongSettings(error: unknown): Diagnosis[] {
  if (!(error instanceof BadConfiguration)) throw error;
  const remedy = 'Set it as .env.example describes, in the environment or in .env.';
  return error.message.split('\n').map((mistake) => ({ check: 'settings', ...problem(mistake, remedy) }));
}

/** The results of all other checks. They end within their time limit, whatever hangs. */
async function examine(app: INestApplicationContext): Promise<Diagnosis[]> {
  const end = performance.now() + TIMEOUT_MS;
  const late = () => [problem(`No response within ${TIMEOUT_MS / 1_000} s.`, 'Find out what keeps it busy.')];
  const within: Within = async (check, run) => {
    const found = await withTimeout(run().catch(failed), end - performance.now(), late);
    return found.map((finding) => ({ check, ...finding }));
  };
  const settings = app.get(Settings);
  const ofModules = app
    .get(DiscoveryService)
    .getProviders()
    .flatMap(({ instance }) => (instance instanceof checks.DoctorCheck ? instance : []));
  const found = await Promise.all([
    examineDatabase(app, within),
    ...ofModules.map((one) => within(one.name, () => one.run())),
    within('port', () => checks.checkPort(settings)),
  ]);
  return [{ check: 'settings', ...ok('The settings are valid.') }, ...found.flat()];
}

/** The checks of the database, each of which needs the result of the check before it. */
async function examineDatabase(app: INestApplicationContext, within: Within): Promise<Diagnosis[]> {
  const source = app.get(JoiningDataSource);
  const found = await within('database', () => checks.checkDatabase(app));
  if (!source.isInitialized) return found;
  found.push(...(await within('migrations', () => checks.checkMigrations(app))));
  if (found.some(({ check, state }) => check === 'migrations' && state === 'problem')) return found;
  found.push(...(await within('leases', () => checks.checkLeases(app))));
  return [...found, ...(await within('writes', async () => [await checks.checkWrites(source)]))];
}

function failed(error: unknown): Finding[] {
  if (error instanceof DatabaseUnusable) return [problem(error.what, error.remedy)];
  return [problem(`The check failed: ${reasonOf(error)}.`, 'Remove the cause, then run the doctor again.')];
}

const lineOf = ({ check, state, what, remedy }: Diagnosis) =>
  `${state.padEnd('warning'.length)}  ${check}: ${what}${remedy === undefined ? '' : ` ${remedy}`}`;
