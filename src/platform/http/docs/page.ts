import { type Html, html } from './html.js';

/** What is different about a page. */
interface PageParts {
  readonly title: string;
  /** What it needs besides the style that all pages share. */
  readonly head?: readonly Html[];
  readonly content: Html;
}

/** A page of the documentation, with the way to the others on top. */
export function page({ title, head = [], content }: PageParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – Pet Store</title>
        <link rel="icon" href="/docs/favicon.png" type="image/png" />
        ${head}
        <link rel="stylesheet" href="/docs/pages.css" />
      </head>
      <body>
        <nav aria-label="Documentation">
          <a href="/docs">Operations</a>
          <a href="/docs/errors">Errors</a>
          <a href="/docs/deprecations">Deprecations</a>
          <a href="/openapi.json">OpenAPI document</a>
        </nav>
        ${content}
      </body>
    </html> `.text;
}
