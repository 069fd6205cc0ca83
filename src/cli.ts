#!/usr/bin/env node
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { keysCommand } from './access/index.js';
import { AppModule } from './app.module.js';
import type { RunInApp } from './platform/cli/run-in-app.js';
import { loadEnvFile } from './platform/config/env-file.js';
import { readSettings } from './platform/config/read-settings.js';
import { dbCommand } from './platform/database/db.command.js';
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

const print = (line: string) => void process.stdout.write(`${line}\n`);

new Command('petstore')
  .description(
    'Runs the Pet Store service from the command line, with the environment and the .env file of the service.',
  )
  .addCommand(dbCommand(runInApp, print))
  .addCommand(keysCommand(runInApp, print))
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`petstore: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
