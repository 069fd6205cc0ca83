import 'reflect-metadata';
import { type INestApplication, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule, MODULES } from './app.module.js';
import { configureApp, makeReady } from './configure-app.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { readSettings, type Settings } from './platform/config/settings.js';
import { DatabaseFile } from './platform/database/sqlite/database-file.js';
import { loadDriver } from './platform/database/sqlite/driver.js';
import { JsonExpressAdapter } from './platform/http/server/json-express.adapter.js';
import { switchLevelOnSignal } from './platform/observability/logging/log-level.js';
import { Output } from './platform/observability/logging/output.js';
import { PinoLog } from './platform/observability/logging/pino-log.js';
import { startTracing } from './platform/observability/tracing/start.js';
import { listening, startProblem } from './platform/process/start-problem.js';
import { stop } from './platform/process/stop.js';
import { welcome } from './platform/process/welcome.js';
import {
  isFirstProcess,
  isSupervisor,
  runWorkers,
  STOP_SIGNALS,
  tellSupervisor,
} from './platform/process/workers.js';
import { disablePretenuring } from './platform/process/pretenuring.js';

const stdout = new Output(process.stdout);
const stderr = new Output(process.stderr, (dropped, reason) =>
  new Logger('Log').warn(`dropped ${dropped} lines that could not be written: ${reason}`),
);

async function main(): Promise<void> {
  const settings = readSettings(process.env, MODULES, loadEnvFile(process.env));
  const log = new PinoLog(settings.logLevel, stderr);
  Logger.overrideLogger(log);
  switchLevelOnSignal(settings.logLevel);
  // Node itself would write to standard error, and wait for who reads it.
  process.removeAllListeners('warning').on('warning', (warning) => new Logger('Node').warn(warning));
  if (isSupervisor(settings.workers)) {
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
  await startTracing(process.env);
  await loadDriver(settings.database);
  await DatabaseFile.open(settings.database)?.lock();
  const assembled = AppModule.with(settings, { isService: true });
  const app = await NestFactory.create(assembled, new JsonExpressAdapter(settings), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  configureApp(app);
  stopOnSignal(app, settings);
  // The first process listens at once, so that probes can reach it during the start; the others listen when they are ready.
  const first = isFirstProcess();
  await app.init();
  if (settings.metricsPort !== undefined) await (await metrics()).startMetrics(app, settings);
  if (!first) await makeReady(app);
  await listening(app.listen(settings.port, settings.host), settings);
  const origin = await app.getUrl();
  new Logger('Start').log(`Listening on ${origin}`);
  if (first) stdout.write(welcome(settings, origin, await makeReady(app)));
}

/** Completes the requests in flight, closes the database and ends the process. A terminal may send its signal twice. */
function stopOnSignal(app: INestApplication, settings: Settings): void {
  let stopping = false;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      new Logger('Stop').log(`Stopping after ${signal}`);
      stop(app, settings, signal).then(() => end(0), fail);
    });
  }
}

/** Reports why the service cannot start, in one line for a known reason and with a stack otherwise, and ends the process. */
function fail(error: unknown): Promise<void> | undefined {
  const problem = startProblem(error);
  if (problem === undefined) new Logger('Start').fatal(error);
  else if (tellSupervisor(problem)) return;
  else stderr.write(`${problem}\n`);
  return end(1);
}

async function end(code: number): Promise<void> {
  await Promise.all([stdout.flushed(), stderr.flushed()]);
  process.exit(code);
}

main().catch(fail);
