import 'reflect-metadata';
import { Logger } from '@nestjs/common';
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
  app.enableShutdownHooks();
  const server = await app.listen(settings.port, settings.host);
  const firstSecret = await makeReady(app);
  process.stdout.write(welcome(settings, server.address(), firstSecret));
}

main().catch((error: unknown) => {
  if (error instanceof BadConfiguration)
    process.stderr.write(`The configuration cannot be used:\n${error.message}\n`);
  else new Logger('Start').fatal(error);
  process.exit(1);
});
