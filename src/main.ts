import 'reflect-metadata';
import { type INestApplication, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule, MODULES } from './app.module.js';
import { configureApp, makeReady } from './configure-app.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { listening } from './platform/config/listening.js';
import { lostTraces } from './platform/config/removed-settings.js';
import { BadConfiguration, readSettings, type Settings } from './platform/config/settings.js';
import { DatabaseFile } from './platform/database/sqlite/database-file.js';
import { loadDriver } from './platform/database/sqlite/driver.js';
import { JsonExpressAdapter } from './platform/http/server/json-express.adapter.js';
import { loggable } from './platform/observability/logging/log-entry.js';
import { Output } from './platform/observability/logging/output.js';
import { PinoLog } from './platform/observability/logging/pino-log.js';
import { startProblem } from './platform/ops/process/start-problem.js';
import { stop } from './platform/ops/process/stop.js';
import { welcome } from './platform/ops/process/welcome.js';

const stdout = new Output(process.stdout);
const stderr = new Output(process.stderr, (dropped, reason) =>
  new Logger('Log').warn(`dropped ${dropped} lines that could not be written: ${reason}`),
);

async function main(): Promise<void> {
  // `petstore serve` runs this as well.
  const args = process.argv.slice(2).join(' ');
  if (args !== '' && args !== 'serve')
    throw new BadConfiguration(
      `main.js starts the service and takes no arguments. For a command: petstore ${args}, or npm run -s petstore -- ${args}`,
    );
  // Node.js has read them before the file `.env`.
  const options = `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`;
  const mistakes = [...loadEnvFile(process.env), ...lostTraces(process.env, options)];
  const settings = readSettings(process.env, MODULES, mistakes);
  const logger = new PinoLog(settings.logLevel, stderr);
  Logger.overrideLogger(logger);
  logger.switchLevelOnSignal();
  // Not to what handles those of commands.
  process.removeAllListeners('uncaughtException').on('uncaughtException', fail);
  // Node itself would write to standard error, and wait for who reads it.
  process.removeAllListeners('warning').on('warning', (warning) => new Logger('Node').warn(warning));
  await loadDriver(settings.database);
  await DatabaseFile.open(settings.database)?.lock();
  const assembled = AppModule.with(settings, { isService: true });
  const app = await NestFactory.create(assembled, new JsonExpressAdapter(settings), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  configureApp(app);
  stopWhenTold(app, settings);
  await app.init();
  // It listens at once, so that probes can reach it during the start.
  await listening(app.listen(settings.port, settings.host), settings);
  const origin = await app.getUrl();
  new Logger('Start').log(`Listening on ${origin}`);
  const secret = await makeReady(app);
  // In production only the log is read, by programs.
  if (settings.production) return new Logger('Start').log(`Ready: ${origin}/v1`);
  // Both may lead to one file.
  await stderr.flushed();
  stdout.write(welcome(settings, origin, secret));
}

/** The signals that end the service in order. SIGHUP comes when its terminal is closed; with a handler it stops the service under `nohup`, too. */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Completes the requests in flight, closes the database and ends the process, once: a terminal may send its signal twice. */
function stopWhenTold(app: INestApplication, settings: Settings): void {
  let code = 0;
  let stopping: Promise<void> | undefined;
  const stopOnce = (signal?: NodeJS.Signals) =>
    (stopping ??= stop(app, settings, signal).then(() => end(code), fail));
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (!stopping) new Logger('Stop').log(`Stopping after ${signal}`);
      void stopOnce(signal);
    });
  }
  // Also of a rejection: what state the process is in nobody knows.
  process.off('uncaughtException', fail).on('uncaughtException', (error: unknown) => {
    code = 1;
    new Logger('Process').fatal(loggable(error));
    void stopOnce();
  });
}

/** Reports why the service cannot start, in one line for a known reason and with a stack otherwise, and ends the process. */
async function fail(error: unknown): Promise<void> {
  const problem = startProblem(error);
  if (problem === undefined) new Logger('Start').fatal(loggable(error));
  else stderr.write(`${problem}\n`);
  await end(1);
}

async function end(code: number): Promise<void> {
  await Promise.all([stdout.flushed(), stderr.flushed()]);
  process.exit(code);
}

main().catch(fail);
