import { STATUS_CODES } from 'node:http';
import type { DeprecatedOperation } from '../deprecation/deprecation.js';
import type { ErrorEntry } from '../errors/error-codes.js';
import type { BaseAddress } from '../links.js';

type Coded = readonly [code: string, entry: ErrorEntry];

/** Explains error codes; the `type` of a problem is the address of its section. */
export function errorsPage(errors: readonly Coded[]): string {
  const codes = errors.toSorted(([, one], [, other]) => one.status - other.status);
  return page(
    'Errors',
    html`<main class="text">
      <h1>Errors</h1>
      <p>
        Every error has a <code>code</code> for programs, a <code>message</code> for people and the HTTP
        <code>status</code> again. Where a body or the query was checked, <code>details</code> names
        everything that is wrong, with its place. With <code>Accept: application/problem+json</code> it comes
        as a problem of RFC 9457, whose <code>type</code> is the address of one of these sections.
      </p>
      <ul class="index">
        ${codes.map(([code]) => html`<li><a href="#${code}">${code}</a></li>`)}
      </ul>
      ${codes.map(errorSection)}
    </main>`,
  );
}

function errorSection([code, { status, meaning, remedy }]: Coded) {
  return html`<section id="${code}">
    <h2><a href="#${code}">${code}</a></h2>
    <p class="aside">${status} ${STATUS_CODES[status] ?? ''}</p>
    <p>${prose(meaning)}</p>
    <p>${prose(remedy)}</p>
  </section> `;
}

/** Explains what is deprecated, until when it works, and how to move; the `Link` headers of its answers lead here. */
export function deprecationsPage(operations: readonly DeprecatedOperation[], base: BaseAddress): string {
  return page(
    'Deprecations',
    html`<main class="text">
      <h1>Deprecations</h1>
      <p>
        ${
          operations.length > 0
            ? 'These operations will be removed. Each of their answers says so in its headers.'
            : 'Nothing is deprecated.'
        }
      </p>
      ${operations.map(({ name, method, path, description, since, sunset, successor, gone }) => {
        const end = html`<time datetime="${sunset}">${sunset}</time>`;
        const ending = gone
          ? html`It was due to be removed on ${end}, and has been removed.`
          : html`It will be removed on ${end}, at midnight UTC.`;
        return html`<section id="${name}">
          <h2><a href="#${name}">${name}</a></h2>
          <p><code>${method} ${base.to(path)}</code></p>
          <p>
            Deprecated since <time datetime="${since}">${since}</time>. ${ending} A removed operation answers
            <a href="/docs/errors#operation_removed">operation_removed</a>.
          </p>
          <p>${prose(description)}</p>
          <p>
            Its successor is <code>GET ${base.to(successor().path)}</code>. The header <code>Link</code> of
            each answer leads there with <code>rel="successor-version"</code>; where the operation found
            something, the link leads to the list that holds just that. Follow it unchanged.
          </p>
        </section> `;
      })}
    </main>`,
  );
}

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
