import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { StaticFile } from '../server/static-file.js';
import { START_SCRIPT } from './operations-page.js';
import { PAGES_STYLE } from './pages-style.js';

const require = createRequire(import.meta.url);
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** What the pages are made of: a style and a script of ours, and the three files of Swagger UI that they need. */
export const staticFiles = {
  style: new StaticFile(CSS, () => PAGES_STYLE),
  startScript: new StaticFile(SCRIPT, () => START_SCRIPT),
  swaggerStyle: new StaticFile(CSS, () => readFile(require.resolve('swagger-ui-dist/swagger-ui.css'))),
  swaggerScript: new StaticFile(SCRIPT, () =>
    readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  ),
  icon: new StaticFile('image/png', () => readFile(require.resolve('swagger-ui-dist/favicon-32x32.png'))),
};
