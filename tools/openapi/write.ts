// npm run document: writes docs/openapi.json, docs/openapi-3.0.json and what else follows from the source.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { VERSIONING } from '../../src/configure-app.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { presentText, writtenDocuments } from './written-documents.js';

async function write(): Promise<void> {
  // A module that cannot be loaded is told like one that cannot be described.
  const { AppModule, MODULES } = await import('../../src/app.module.js');
  // The database is never opened.
  const settings = readSettings({ DATABASE_URL: 'sqlite::memory:' }, MODULES);
  const app = await NestFactory.create(AppModule.with(settings), { logger: false, abortOnError: false });
  app.enableVersioning(VERSIONING);
  for (const [file, text] of await writtenDocuments(app, MODULES)) {
    if (presentText(file) === text) continue;
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
}

await write().catch((error: unknown) => {
  console.error(`Nothing was written: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
