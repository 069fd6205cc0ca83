import { Command } from 'commander';
import { BadConfiguration } from '../../config/settings.js';
import type { CommandContext } from '../cli/command-context.js';
import { AlreadyReported } from '../cli/errors.js';
import { problem } from './doctor-check.js';
import { type Diagnosis, runChecks } from './run-checks.js';

/** `petstore doctor`: shows what is wrong and what to do. It leaves everything as it is. */
export function doctorCommand({ run, print }: CommandContext): Command {
  return new Command('doctor')
    .description(
      'Runs the checks of the start: settings, database, migrations, leases, writes, Redis and port. The exit code is 1 if there is a problem.',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const found = await run(runChecks).catch(wrongSettings);
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

const lineOf = ({ check, state, what, remedy }: Diagnosis) =>
  `${state.padEnd('warning'.length)}  ${check}: ${what}${remedy === undefined ? '' : ` ${remedy}`}`;
