import { current, except, gone, Html, html, only, prose } from './markup.js';

/** Explains what is deprecated, until when it works, and how to migrate; the `Link` headers of its answers lead here. */
export const deprecationsPage = (operations) => {
  const ids = operations.map(({ operationId }) => operationId);
  const there = 'These operations will be removed. Each of their answers says so in its headers.';
  const nothing = 'Nothing is deprecated.';
  const lead = ids.length === 0 ? nothing : only(ids, there) + except(ids, nothing);
  return {
    path: '/docs/deprecations',
    name: 'deprecations',
    title: 'Deprecations',
    about: 'what will be removed, when, and what replaces it',
    parts: [
      {
        html: html`<h1 id="deprecations">Deprecations</h1>
          <p class="lead">${new Html(lead)}</p>`,
      },
      ...operations.map((operation) => ({ only: [operation.operationId], html: section(operation) })),
    ],
    markdown: `# Deprecations\n\n${lead}\n${operations.map((one) => only([one.operationId], inMarkdown(one))).join('')}`,
  };
};

const section = (operation) => {
  const { operationId: id, 'x-deprecated-since': since } = operation;
  return html`<h2 id="${id}"><a class="anchor" href="#${id}">${id}</a></h2>
    ${addressLine(operation)}
    <p class="notice">${endInHtml(operation)}</p>
    <p>Deprecated since <time datetime="${since}">${since}</time>. ${prose(ownDescription(operation))}</p>
    <p>${prose(successorOf(operation))}</p>`;
};

const inMarkdown = (operation) => `
## ${operation.operationId}

\`${operation.method} ${operation.path}\`

${endInMarkdown(operation)}

Deprecated since ${operation['x-deprecated-since']}. ${ownDescription(operation)}

${successorOf(operation)}
`;

/** In the document a description begins with the end of the operation, which stands on its own here. */
const ownDescription = ({ description = '' }) =>
  description.replace(/^Deprecated since .*? its successor, `[^`]*`\. /, '');

const successorOf = ({ 'x-successor': successor }) =>
  `Its successor is \`GET ${successor}\`. The header \`Link\` of each answer leads there with ` +
  '`rel="successor-version"`; where the operation found something, the link leads to the list that holds just that. ' +
  'Follow it unchanged.';

export const addressLine = ({ method, path }, id = '') =>
  html`<p class="address">
    <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
    <span class="aside">${id}</span>
  </p>`;

/** When an operation ends, or that it has ended; `write` makes a text, or HTML, of a template. */
function endOf({ operationId: id }, write, day, removed) {
  const has = write`It was due to be removed on ${day}, and has been removed: it answers ${removed}.`;
  const will = write`It will be removed on ${day}, at midnight UTC, and answers ${removed} from then on.`;
  return write`${gone([id], has)}${current([id], will)}`;
}

function endInHtml(operation) {
  const { 'x-deprecated-sunset': sunset } = operation;
  const day = html`<time datetime="${sunset}">${sunset}</time>`;
  return endOf(
    operation,
    html,
    day,
    html`410 <a href="/docs/errors#operation_removed">operation_removed</a>`,
  );
}

const endInMarkdown = (operation) =>
  endOf(
    operation,
    String.raw,
    operation['x-deprecated-sunset'],
    '410 [`operation_removed`]({{base}}/docs/errors.md#operation_removed)',
  );

/** A short notice for other pages, with a link to the replacement. */
export const noticeOf = (operation) =>
  html`<p class="notice">
    ${endInHtml(operation)}
    <a href="/docs/deprecations#${operation.operationId}">What replaces ${operation.operationId}</a>
  </p>`;

/** The same in Markdown. */
export const noticeInMarkdown = (operation) => {
  const { operationId: id } = operation;
  return `> ${endInMarkdown(operation)} [What replaces ${id}]({{base}}/docs/deprecations.md#${id})`;
};
