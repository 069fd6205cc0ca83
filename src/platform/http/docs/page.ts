/** Text that is HTML already; any other text is escaped before it becomes part of a page. */
export class Html {
  constructor(readonly text: string) {}
}

type Insert = string | number | Html | readonly Html[];

/** HTML with values in it. What a value has of markup is shown as it stands, unless the value is `Html` itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Insert[]): Html {
  const inserted = values.map((value, i) => `${textOf(value)}${parts[i + 1]}`);
  return new Html(parts[0] + inserted.join(''));
}

/** A sentence in which backticks stand around code. */
export function prose(sentence: string): Html[] {
  return sentence.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function textOf(value: Insert): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return String(value).replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A page of the documentation, with links to the others on top. `head` is what it needs besides the common style. */
export function page(title: string, content: Html, head: readonly Html[] = []): string {
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
