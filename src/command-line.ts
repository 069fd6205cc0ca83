import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { AppModule, MODULES } from './app.module.js';
import type { CommandContext, Terminal } from './platform/ops/cli/command-context.js';
import { dbCommand } from './platform/ops/cli/db.command.js';
import { errorText, EXIT_CODES_HELP, exitCodeOf } from './platform/ops/cli/exit-codes.js';
import { eventsCommand } from './platform/ops/cli/events.command.js';
import { watchForNewFile } from './platform/ops/cli/new-file.js';
import { printableLines } from './platform/json/index.js';
import { commandsOfModule } from './platform/ops/cli/commands.decorator.js';
import { withTimeout } from './platform/ops/process/timeout.js';
import { version } from './platform/config/version.js';
import { readSettings } from './platform/config/settings.js';
import { Database } from './platform/database/database.js';
import { loadDriver } from './platform/database/sqlite/driver.js';
import { doctorCommand } from './platform/ops/doctor/doctor.command.js';
import { PinoLog } from './platform/observability/logging/pino-log.js';

/** Closing the connections may hang if the database does not respond. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Runs one command to its end. It uses nothing of the process except the terminal. @returns the exit code */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  modules = MODULES,
): Promise<number> {
  const json = args.includes('--json');
  try {
    const program = await commandLine(contextOn(terminal, modules), json, modules);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const text = errorText(error, json);
    if (text !== undefined) terminal.stderr.write(`${printableLines(text)}\n`);
    return exitCodeOf(error);
  }
}

async function commandLine(
  context: CommandContext,
  json: boolean,
  modules: typeof MODULES,
): Promise<Command> {
  const program = new Command('petstore')
    .version(version)
    .description(
      'Starts the Pet Store service, and manages its database, keys and pets. Settings come from the environment, and from the file .env in the current folder.',
    )
    .addHelpText('after', EXIT_CODES_HELP);
  const all = [dbCommand, eventsCommand, doctorCommand, ...modules.flatMap(commandsOfModule), serveCommand];
  for (const make of all) program.addCommand(await make(context));
  confine(program, context.terminal, json);
  return program;
}

function contextOn(terminal: Terminal, modules: typeof MODULES): CommandContext {
  const run: CommandContext['run'] = async (work) => {
    const settings = readSettings(terminal.env, modules, terminal.mistakes);
    const tellOfNewFile = watchForNewFile(settings, terminal);
    await loadDriver(settings.database);
    const app = await NestFactory.createApplicationContext(AppModule.with(settings, { modules }), {
      logger: new PinoLog('warn', terminal.stderr),
      abortOnError: false,
    });
    try {
      return await work(app);
    } finally {
      await withTimeout(app.close(), CLOSE_TIMEOUT_MS);
      tellOfNewFile();
    }
  };
  return {
    terminal,
    print: (text) => void terminal.stdout.write(`${printableLines(text)}\n`),
    run,
    runWithDatabase: (work) =>
      run(async (app) => {
        await app.get(Database).open({ waitForServer: false });
        return work(app);
      }),
  };
}

/** The command `serve`, which does the same as `node dist/main.js`. It ends the process. */
const serveCommand = () =>
  new Command('serve').description('Starts the service. SIGTERM stops it.').action(async () => {
    await import('./main.js');
    await new Promise(() => {});
  });

/**
 * Makes a command write to `terminal` and throw errors. By default Commander writes to the streams of the process and exits with
 * 1, and every command has to override that.
 */
function confine(command: Command, terminal: Terminal, json: boolean): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void terminal.stdout.write(printableLines(text)),
    writeErr: (text) => void terminal.stderr.write(printableLines(text)),
    ...(json && { outputError: () => {} }),
  });
  for (const one of command.commands) confine(one, terminal, json);
}
