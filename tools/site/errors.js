import { STATUS_CODES } from 'node:http';
import { fenced, jsonBlock, jsonText } from './markdown.js';
import { html, prose } from './markup.js';

const WHAT_IS_WRONG =
  'Where a body or the query was checked, `details` names everything that is wrong, each with its place, a `code` and a `message`.';

/**
 * Describes the error codes. The `type` of a problem links to a heading on this page. `details` is the table of codes in details,
 * as HTML and as Markdown.
 */
export const errorsPage = (errors, details) => ({
  path: '/docs/errors',
  name: 'errors',
  title: 'Errors',
  about: 'every error code with its status, what it means, what to do, and an example',
  parts: [
    html`<h1 id="errors">Errors</h1>
      <p class="lead">
        Every error has a <code>code</code> for programs, a <code>message</code> for people, whose wording may
        change, and the HTTP <code>status</code> again. With <code>Accept: application/problem+json</code> it
        comes as a problem of RFC 9457, whose <code>type</code> is the address of one of these sections.
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
    'Every error has a `code` for programs, a `message` for people, whose wording may change, and the HTTP `status` again. ' +
      'With `Accept: application/problem+json` it comes as a problem of RFC 9457, whose `type` is the address of its section.',
    '## What is wrong with a field',
    WHAT_IS_WRONG,
    `${details.markdown.trimEnd()}\n${errors.map(errorMarkdown).join('')}`,
  ].join('\n\n'),
});

/** The text for each value of `again` of an error. */
const AGAIN = {
  yes: 'The same request, sent again later, may succeed.',
  'safely only': 'It may have been carried out: send it again only if it is a GET or has an Idempotency-Key.',
  undefined: 'The same request, sent again, is answered the same.',
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
