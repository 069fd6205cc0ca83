// Puts into `dist` what the service serves and nobody compiles, the last step of `npm run build`: the OpenAPI document and the pages.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { siteOf } from './site.js';
import { BadSource } from './sources.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SITE = join(ROOT, 'dist/site');

try {
  const files = siteOf(pathToFileURL(`${ROOT}/`));
  cpSync(join(ROOT, 'docs/openapi.json'), join(ROOT, 'dist/openapi.json'));
  rmSync(SITE, { recursive: true, force: true });
  for (const { file, content } of files) {
    mkdirSync(dirname(join(SITE, file)), { recursive: true });
    writeFileSync(join(SITE, file), content);
  }
  const withoutContent = (name, value) => (name === 'content' ? undefined : value);
  writeFileSync(join(SITE, 'files.json'), `${JSON.stringify(files, withoutContent, 1)}\n`);
} catch (error) {
  if (!(error instanceof BadSource)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
