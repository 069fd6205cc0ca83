import { html } from './html.js';
import { page } from './page.js';

/** The page where operations are read about and tried out. */
export function operationsPage(): string {
  return page({
    title: 'Operations',
    head: [
      html`<link rel="stylesheet" href="/docs/swagger-ui.css" />
        <script src="/docs/swagger-ui-bundle.js" defer></script>
        <script src="/docs/init.js" type="module"></script>`,
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
