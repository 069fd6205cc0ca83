// npm run document: writes docs/openapi.json, docs/openapi-3.0.json and the other files that are made from the source.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { VERSIONING } from '../../src/configure-app.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { presentText, writtenDocuments } from './written-documents.js';

async function write(): Promise<void> {
  // The import is here, so that a module that cannot be loaded is reported like a module that cannot be described.
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
