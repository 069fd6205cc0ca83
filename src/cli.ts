#!/usr/bin/env node
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { keysCommand } from './access/index.js';
import { AppModule } from './app.module.js';
import { petsCommand } from './pets/index.js';
import { errorText } from './platform/cli/error-text.js';
import { EXIT_CODES_HELP, exitCodeOf } from './platform/cli/exit-codes.js';
import type { RunInApp } from './platform/cli/run-in-app.js';
import { version } from './platform/cli/version.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { readSettings } from './platform/config/read-settings.js';
import { dbCommand } from './platform/database/db.command.js';
import { doctorCommand } from './platform/doctor/doctor.command.js';
import { eventsCommand } from './platform/events/events.command.js';
import { deprecationsCommand } from './platform/http/deprecation/deprecations.command.js';
import { PinoLog } from './platform/logging/pino-log.js';

const runInApp: RunInApp = async (work) => {
  loadEnvFile();
  const app = await NestFactory.createApplicationContext(AppModule.with(readSettings(process.env)), {
    logger: new PinoLog('warn'),
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
};

const print = (text: string) => void process.stdout.write(`${text}\n`);

const json = process.argv.includes('--json');

/** `node dist/main.js` itself: in a process that it forks, this very command runs again. */
const serveCommand = () =>
  new Command('serve')
    .description('Starts the service, as "node dist/main.js" does. SIGTERM stops it.')
    .action(async () => void (await import('./main.js')));

const program = new Command('petstore')
  .version(version())
  .description(
    'The command line of the Pet Store service. It reads the environment and the .env file of the service.',
  )
  .addCommand(dbCommand(runInApp, print))
  .addCommand(keysCommand(runInApp, print))
  .addCommand(eventsCommand(runInApp, print))
  .addCommand(deprecationsCommand(runInApp, print))
  .addCommand(doctorCommand(runInApp, print))
  .addCommand(petsCommand(runInApp, print))
  .addCommand(serveCommand())
  .addHelpText('after', EXIT_CODES_HELP);

/** Commander ends the process by itself, with 1 for everything, unless each command is told not to. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  if (json) command.configureOutput({ outputError: () => {} });
  command.commands.forEach(throwInsteadOfExit);
}
throwInsteadOfExit(program);

program.parseAsync().catch((error: unknown) => {
  const text = errorText(error, json);
  if (text !== undefined) process.stderr.write(`${text}\n`);
  process.exitCode = exitCodeOf(error);
});
