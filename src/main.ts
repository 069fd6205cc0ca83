import 'reflect-metadata';
import { type INestApplication, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { configureApp, makeReady } from './configure-app.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { BadConfiguration, readSettings } from './platform/config/read-settings.js';
import { JsonExpressAdapter } from './platform/http/server/json-express.adapter.js';
import { PinoLog } from './platform/logging/pino-log.js';
import { welcome } from './platform/system/welcome.js';

async function main(): Promise<void> {
  loadEnvFile();
  const settings = readSettings(process.env);
  const app = await NestFactory.create(AppModule.with(settings), new JsonExpressAdapter(), {
    logger: new PinoLog(settings.logLevel),
    bodyParser: false,
    abortOnError: false,
  });
  configureApp(app);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(app, signal));
  await app.listen(settings.port, settings.host);
  const origin = await app.getUrl();
  new Logger('Start').log(`Listening on ${origin}`);
  process.stdout.write(welcome(settings, origin, await makeReady(app)));
}

/** Lets requests in flight end, closes the database, and ends the process. */
function stop(app: INestApplication, signal: string): void {
  new Logger('Stop').log(`Stopping after ${signal}`);
  app.close().then(() => process.exit(0), fail);
}

function fail(error: unknown): never {
  if (error instanceof BadConfiguration)
    process.stderr.write(`The configuration cannot be used:\n${error.message}\n`);
  else new Logger('Start').fatal(error);
  process.exit(1);
}

main().catch(fail);
