// The last step of `npm run build`: puts the OpenAPI document and the pages into `dist`, from where the service serves them.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { siteOf } from './site.js';
import { BadSource } from './sources.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SITE = join(ROOT, 'dist/site');
/** The page for unknown URLs. */
const NOT_FOUND = 'docs/not-found.html';

/** The path of a page has no extension, and the first page of a folder has no name. */
const addressOf = (file) => `/${file.replace(/(?:(?<=\/)index)?\.html$/, '')}`;

try {
  const files = siteOf(pathToFileURL(`${ROOT}/`));
  cpSync(join(ROOT, 'docs/openapi.json'), join(ROOT, 'dist/openapi.json'));
  rmSync(SITE, { recursive: true, force: true });
  for (const [file, content] of files) {
    mkdirSync(dirname(join(SITE, file)), { recursive: true });
    writeFileSync(join(SITE, file), content);
  }
  const addresses = [...files.keys()]
    .filter((file) => file !== NOT_FOUND)
    .map((file) => [addressOf(file), file]);
  writeFileSync(join(SITE, 'files.json'), `${JSON.stringify(Object.fromEntries(addresses), null, 1)}\n`);
} catch (error) {
  if (!(error instanceof BadSource)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
