import 'reflect-metadata';
import { type INestApplication, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule, MODULES } from './app.module.js';
import { configureApp, makeReady } from './configure-app.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { BadConfiguration, readSettings, type Settings } from './platform/config/settings.js';
import { DatabaseUnusable } from './platform/database/database.js';
import { DatabaseFileLocked, lockDatabaseFile } from './platform/database/sqlite/database-file-lock.js';
import { JsonExpressAdapter } from './platform/http/server/json-express.adapter.js';
import { PinoLog } from './platform/observability/logging/pino-log.js';
import { stop } from './platform/process/stop.js';
import { welcome } from './platform/process/welcome.js';
import { runWorkers, isFirstProcess, isSupervisor } from './platform/process/workers.js';
import { disablePretenuring } from './platform/process/pretenuring.js';

async function main(): Promise<void> {
  loadEnvFile();
  const settings = readSettings(process.env, MODULES);
  const log = new PinoLog(settings.logLevel, process.stderr);
  if (isSupervisor(settings.workers)) {
    Logger.overrideLogger(log);
    if (settings.metricsPort !== undefined) await (await metrics()).startMetricsOfWorkers(settings);
    runWorkers(settings.workers);
  } else {
    await serve(settings, log);
  }
}

/** Loaded only if metrics are served. */
const metrics = () => import('./platform/observability/metrics/start-metrics.js');

async function serve(settings: Settings, logger: PinoLog): Promise<void> {
  disablePretenuring();
  lockDatabaseFile(settings.database);
  const app = await NestFactory.create(AppModule.with(settings), new JsonExpressAdapter(settings), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  configureApp(app);
  stopOnSignal(app, settings);
  // The first process listens at once, so that probes see its start; the others listen when they are ready.
  const first = isFirstProcess();
  await app.init();
  if (settings.metricsPort !== undefined) await (await metrics()).startMetrics(app, settings);
  if (!first) await makeReady(app);
  await app.listen(settings.port, settings.host);
  const origin = await app.getUrl();
  new Logger('Start').log(`Listening on ${origin}`);
  if (first) process.stdout.write(welcome(settings, origin, await makeReady(app)));
}

/** Lets requests in flight end, closes the database, and ends the process. A terminal may send its signal twice. */
function stopOnSignal(app: INestApplication, settings: Settings): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      new Logger('Stop').log(`Stopping after ${signal}`);
      stop(app, settings).then(() => process.exit(0), fail);
    });
  }
}

function fail(error: unknown): never {
  if (error instanceof BadConfiguration)
    process.stderr.write(`The configuration cannot be used:\n${error.message}\n`);
  else if (error instanceof DatabaseFileLocked) process.stderr.write(`${error.message}\n`);
  else if (error instanceof DatabaseUnusable)
    process.stderr.write(`${error.message}\nMore: petstore doctor.\n`);
  else if (isTakenPort(error))
    process.stderr.write(`${error.address}:${error.port} is in use. End what uses it, or set PORT.\n`);
  else new Logger('Start').fatal(error);
  process.exit(1);
}

const isTakenPort = (error: unknown): error is { address: string; port: number } =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

main().catch(fail);
