import { html, prose } from './markup.js';

/**
 * Describes deprecated operations, until when they work, and how to migrate. The `Link` headers of their responses lead to this
 * page.
 */
export const deprecationsPage = (operations) => {
  const lead =
    operations.length > 0
      ? 'These operations will be removed. The headers of each of their responses say so.'
      : 'Nothing is deprecated.';
  return {
    path: '/docs/deprecations',
    name: 'deprecations',
    title: 'Deprecations',
    about: 'what will be removed, when, and what replaces it',
    parts: [
      html`<h1 id="deprecations">Deprecations</h1>
        <p class="lead">${lead}</p>`,
      ...operations.map(section),
    ],
    markdown: `# Deprecations\n\n${lead}\n${operations.map(inMarkdown).join('')}`,
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

/** In the document, a description begins with the end of the operation. On this page the end has a line of its own. */
const ownDescription = ({ description = '' }) =>
  description.replace(/^Deprecated since .*? leads to the successor, `[^`]*`\. /s, '');

const successorOf = ({ 'x-successor': successor }) =>
  `Its successor is \`GET ${successor}\`. Each response links to the successor in its \`Link\` header, with ` +
  '`rel="successor-version"`. If the operation found a resource, the link leads to a list that has only this resource at that time. ' +
  'Follow the link unchanged.';

export const addressLine = ({ method, path }, id = '') =>
  html`<p class="address">
    <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
    <span class="aside">${id}</span>
  </p>`;

/** The date when an operation ends. */
const endInHtml = ({ 'x-deprecated-sunset': sunset }) =>
  html`It will be removed on <time datetime="${sunset}">${sunset}</time>, at midnight UTC, and will then
    return 410 <a href="/docs/errors#operation_removed">operation_removed</a>.`;

const endInMarkdown = ({ 'x-deprecated-sunset': sunset }) =>
  `It will be removed on ${sunset}, at midnight UTC, and will then return 410 ` +
  '[`operation_removed`](errors.md#operation_removed).';

/** A short notice for other pages, with a link to the replacement. */
export const noticeOf = (operation) =>
  html`<p class="notice">
    ${endInHtml(operation)}
    <a href="/docs/deprecations#${operation.operationId}">What replaces ${operation.operationId}</a>
  </p>`;

/** The same in Markdown. */
export const noticeInMarkdown = (operation) => {
  const { operationId: id } = operation;
  return `> ${endInMarkdown(operation)} [What replaces ${id}](deprecations.md#${id})`;
};
