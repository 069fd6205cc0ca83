import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { StaticFile } from './static-file.js';

const require = createRequire(import.meta.url);
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const file = (type: string, path: string | URL) => new StaticFile(type, () => readFile(path));
const asset = (name: string) => new URL(`assets/${name}`, import.meta.url);

/** What the pages are made of, by path: our style and scripts, and the three files of Swagger UI that they need. */
export const STATIC_FILES: Readonly<Record<string, StaticFile>> = {
  '/docs/pages.css': file(CSS, asset('pages.css')),
  '/docs/init.js': file(SCRIPT, asset('init.js')),
  '/docs/lay-out-json.js': file(SCRIPT, asset('lay-out-json.js')),
  '/docs/swagger-ui.css': file(CSS, require.resolve('swagger-ui-dist/swagger-ui.css')),
  '/docs/swagger-ui-bundle.js': file(SCRIPT, require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  '/docs/favicon.png': file('image/png', require.resolve('swagger-ui-dist/favicon-32x32.png')),
};
