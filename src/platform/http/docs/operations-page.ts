import { html } from './html.js';
import { layOutJson } from './lay-out-json.js';
import { page } from './page.js';
import { startSwagger } from './start-swagger.js';

/** The page where operations are read about and tried out. */
export function operationsPage(): string {
  return page({
    title: 'Operations',
    head: [
      html`<link rel="stylesheet" href="/docs/swagger-ui.css" />
        <script src="/docs/swagger-ui-bundle.js" defer></script>
        <script src="/docs/init.js" defer></script>`,
    ],
    content: html`<div id="swagger-ui"></div>
      <noscript>
        <main class="text">
          <p>
            This page needs JavaScript. Without it, read the <a href="/openapi.json">OpenAPI document</a>.
          </p>
        </main>
      </noscript>`,
  });
}

/** What `/docs/init.js` is; a file of its own, so that the page's policy need not allow scripts in the page. */
export const START_SCRIPT = `'use strict';\n(${startSwagger})(${layOutJson});\n`;
