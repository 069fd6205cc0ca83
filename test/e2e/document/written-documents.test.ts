import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { AppModule, MODULES } from '../../../src/app.module.js';
import { VERSIONING } from '../../../src/configure-app.js';
import { readSettings } from '../../../src/platform/config/settings.js';
import { presentText, writtenDocuments } from '../../../tools/openapi/written-documents.js';

describe('each file that follows from the source', async () => {
  const settings = readSettings({ DATABASE_URL: 'sqlite::memory:' }, MODULES);
  const assembled = await Test.createTestingModule({ imports: [AppModule.with(settings)] }).compile();
  const app = assembled.createNestApplication({ logger: false });
  app.enableVersioning(VERSIONING);
  const documents = await writtenDocuments(app, MODULES);

  it.each([...documents])('%s is what "npm run document" writes', (file, text) => {
    expect(text, `Bring ${file} up to date: npm run document`).toBe(presentText(file));
  });
});
