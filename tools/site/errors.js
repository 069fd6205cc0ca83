import { STATUS_CODES } from 'node:http';
import { fenced, jsonBlock, jsonText } from './markdown.js';
import { html, prose } from './markup.js';

const WHAT_IS_WRONG =
  'If a body, a query or a path is not valid, `details` lists up to 50 problems, each with its place (`field`), a `code` and a `message`.';

/**
 * Describes the error codes. The `type` of a problem links to a heading on this page. `details` is the table of codes in details,
 * as HTML and as Markdown.
 */
export const errorsPage = (errors, details) => ({
  path: '/docs/errors',
  name: 'errors',
  title: 'Errors',
  about: 'every error code, with its status, its meaning, what to do, and an example',
  parts: [
    html`<h1 id="errors">Errors</h1>
      <p class="lead">
        The body of an error has a <code>code</code> for programs, a <code>message</code> for people, and the
        HTTP <code>status</code>. The wording of a message may change. If you send
        <code>Accept: application/problem+json</code>, the body also has the fields of RFC 9457. Except for
        <code>rate_limited</code>, its <code>type</code> links to a section of this page.
      </p>
      <ul class="index">
        ${errors.map(({ code, status }) => html`<li>${status} <a href="#${code}">${code}</a></li>`)}
      </ul>
      <h2 id="details"><a class="anchor" href="#details">What is wrong with a field</a></h2>
      <p>${prose(WHAT_IS_WRONG)}</p>
      ${details.html}`,
    ...errors.map(errorSection),
  ],
  markdown: [
    '# Errors',
    'The body of an error has a `code` for programs, a `message` for people, and the HTTP `status`. The wording of a message ' +
      'may change. If you send `Accept: application/problem+json`, the body also has the fields of RFC 9457. Except for `rate_limited`, ' +
      'its `type` links to a section of this page.',
    '## What is wrong with a field',
    WHAT_IS_WRONG,
    `${details.markdown.trimEnd()}\n${errors.map(errorMarkdown).join('')}`,
  ].join('\n\n'),
});

/** The text for each value of `again` of an error. */
const AGAIN = {
  yes: 'The same request may succeed if you send it again later.',
  'safely only':
    'The request may have been executed, so send it again only if it is a GET or has an Idempotency-Key.',
  undefined: 'The same request gets the same response if you send it again.',
};

const errorSection = ({ code, status, meaning, remedy, again, example }) =>
  html`<h2 id="${code}"><a class="anchor" href="#${code}">${code}</a></h2>
    <p class="aside">${status} ${STATUS_CODES[status] ?? ''}</p>
    <p>${prose(meaning)} ${prose(remedy)}</p>
    <p>${AGAIN[again]}</p>
    ${jsonBlock(example)}`;

const errorMarkdown = ({ code, status, meaning, remedy, again, example }) => `
## ${code}

${status} ${STATUS_CODES[status] ?? ''}. ${meaning} ${remedy} ${AGAIN[again]}

${fenced(jsonText(example), 'json')}
`;
