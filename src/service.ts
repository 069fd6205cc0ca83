import 'reflect-metadata';
import { type INestApplication, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule, MODULES } from './app.module.js';
import { configureApp, makeReady } from './configure-app.js';
import { BASE_PATH } from './platform/config/base-path.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { listening } from './platform/config/listening.js';
import { lostTraces } from './platform/config/removed-settings.js';
import { BadConfiguration, readSettings, type Settings } from './platform/config/settings.js';
import { DatabaseFile } from './platform/database/sqlite/database-file.js';
import { loadDriver } from './platform/database/sqlite/driver.js';
import { JsonExpressAdapter } from './platform/http/server/json-express.adapter.js';
import { printableLines } from './platform/json/printable.js';
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
  // `petstore serve` runs this file, too.
  const args = process.argv.slice(2).join(' ');
  if (args !== '' && args !== 'serve')
    throw new BadConfiguration(
      `main.js starts the service and takes no arguments. For a command: petstore ${args}, or npm run -s petstore -- ${args}`,
    );
  // Node.js has read its options before the file `.env`, so a NODE_OPTIONS in that file has no effect.
  const options = `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`;
  const mistakes = [...loadEnvFile(process.env), ...lostTraces(process.env, options)];
  const settings = readSettings(process.env, MODULES, mistakes);
  const logger = new PinoLog(settings.logLevel, stderr);
  Logger.overrideLogger(logger);
  logger.switchLevelOnSignal();
  // `cli.ts` has set a handler for commands. The service needs its own.
  process.removeAllListeners('uncaughtException').on('uncaughtException', fail);
  // Node's own handler would write to standard error, and block until somebody reads it.
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
  // The service listens before it is ready, so that probes can reach it during the start.
  await listening(app.listen(settings.port, settings.host), settings);
  const origin = await app.getUrl();
  new Logger('Start').log(`Listening on ${origin}`);
  const secret = await makeReady(app);
  // In production only programs read the output, so it contains only the log.
  if (settings.production) return new Logger('Start').log(`Ready: ${origin}${BASE_PATH}`);
  // Standard output and standard error may lead to the same file.
  await stderr.flushed();
  stdout.write(printableLines(welcome(settings, origin, secret)));
}

/**
 * The signals that end the service in order. A terminal that is closed sends SIGHUP. Because SIGHUP has a handler, it also stops
 * the service under `nohup`.
 */
const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Completes the requests in flight, closes the database and ends the process. It does so only once, because a terminal may send
 * its signal twice.
 */
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
  // Unhandled rejections come here, too. After such an error the state of the process is unknown, so the process ends.
  process.off('uncaughtException', fail).on('uncaughtException', (error: unknown) => {
    code = 1;
    new Logger('Process').fatal(loggable(error));
    void stopOnce();
  });
}

/** Reports why the service cannot start, and ends the process. A known reason is one line, and any other error has its stack. */
async function fail(error: unknown): Promise<void> {
  const problem = startProblem(error);
  if (problem === undefined) new Logger('Start').fatal(loggable(error));
  else stderr.write(`${printableLines(problem)}\n`);
  await end(1);
}

async function end(code: number): Promise<void> {
  await Promise.all([stdout.flushed(), stderr.flushed()]);
  process.exit(code);
}

main().catch(fail);
