import { STATUS_CODES } from 'node:http';
import { noticeOf, addressLine } from './deprecations.js';
import { exampleOf } from './document.js';
import { codeBlock, jsonBlock } from './markdown.js';
import { html, NOTHING, prose } from './markup.js';
import { referenceMarkdown } from './reference-markdown.js';
import { samplesOf } from './samples.js';
import { asidesOf, boundsOf, partsOf, typeOf } from './operation.js';
import { tryForm } from './try-form.js';

/** All operations, each with samples and a form to send the request. `documents` contains the documents for programs, by name. */
export const referencePage = (operations, documents) => ({
  path: '/docs/reference',
  name: 'reference',
  title: 'Reference',
  about: 'every operation, with its parameters, its responses and a sample',
  isWide: true,
  parts: [
    html`<h1 id="reference">Reference</h1>
      <p class="lead">
        Every operation, with samples. The samples run unchanged if <code>PETSTORE_URL</code> and
        <code>PETSTORE_API_KEY</code> are set (<a href="/docs/">quick start</a>). The same for programs:
        ${Object.entries(documents).map(
          ([name, { path }], i) => html`${i === 0 ? '' : ', '}<a href="${path}">${name}</a>`,
        )}.
      </p>`,
    ...operations.map(operationArticle),
  ],
  markdown: referenceMarkdown(operations, documents),
});

function operationArticle(operation) {
  const { operationId: id, summary = id, description = '' } = operation;
  const { 'x-stability': stability, 'x-deprecated-sunset': sunset } = operation;
  const { others, headers, body } = partsOf(operation);
  const asides = asidesOf(operation);
  return html`<article class="operation">
    <div>
      <h2 id="${id}"><a class="anchor" href="#${id}">${summary.replace(/\.$/, '')}</a></h2>
      ${addressLine(operation, id)} ${sunset ? noticeOf(operation) : NOTHING}
      ${stability ? html`<p class="notice">This operation is ${stability}, so it may change or be removed.</p>` : NOTHING}
      <p>${prose(description)}</p>
      ${asides ? html`<p class="aside">${prose(asides)}</p>` : NOTHING}
      ${fields('Parameters', others.map(fieldOfParameter))} ${body ? fields('Body', fieldsOf(body)) : NOTHING}
      ${fields('Headers', headers.map(fieldOfParameter))} ${answers(operation)}
    </div>
    <div class="beside">${samples(operation)}${tryForm(operation)}</div>
  </article>`;
}

const fields = (title, list) =>
  list.length > 0
    ? html`<h3>${title}</h3>
        <dl class="fields">${list}</dl>`
    : NOTHING;

const fieldOfParameter = ({ name, required = false, description = '', schema }) =>
  field(name, required, { ...schema, description });

/**
 * The fields of an object, or of the items of a list. In responses `required` is not shown, because such fields are always
 * present.
 */
function fieldsOf(schema, isAnswer = false) {
  const { properties = {}, required: needed = [] } = schema.items ?? schema;
  const required = isAnswer ? [] : needed;
  return Object.entries(properties).map(([name, property]) => field(name, required.includes(name), property));
}

function field(name, isRequired, schema) {
  const type = typeOf(schema).split('int64');
  const linked = type.length > 1 ? html`${type[0]}<a href="/docs/guide#64-bit-integers">int64</a>` : type[0];
  return html`<dt>
      <code>${name}</code> <span class="aside">${linked}</span>
      ${isRequired ? html`<span class="required">required</span>` : NOTHING}
    </dt>
    <dd>${prose(`${schema.description ?? ''} ${boundsOf(schema)}`)}</dd>`;
}

function answers({ responses }) {
  const all = Object.entries(responses).map(([status, { description = '', content }]) => {
    const { schema, examples = {} } = content?.['application/json'] ?? {};
    return { status: Number(status), description, schema, codes: Object.keys(examples) };
  });
  const good = all.filter(({ status }) => status < 400);
  const bad = all.filter(({ status }) => status >= 400);
  return html`<h3>Responses</h3>
    ${good.map(
      ({ status, description, schema }) =>
        html`<p><strong>${status}</strong> ${prose(description)}</p>
          ${schema ? html`<dl class="fields">${fieldsOf(schema, true)}</dl>` : NOTHING}`,
    )}
    <details class="errors">
      <summary>Errors</summary>
      <dl class="fields">
        ${bad.map(
          ({ status, codes }) =>
            html`<dt>${status} <span class="aside">${STATUS_CODES[status] ?? ''}</span></dt>
              <dd>
                ${codes.map((code) => html`<a href="/docs/errors#${code}"><code>${code}</code></a> `)}
              </dd>`,
        )}
      </dl>
    </details>`;
}

function samples(operation) {
  const list = samplesOf(operation);
  const [status, answer] = Object.entries(operation.responses).find(([, { content }]) => content) ?? [];
  const schema = Number(status) < 400 ? answer?.content?.['application/json']?.schema : undefined;
  const choices = list.map(({ title, language }, i) => {
    const checked = i === 0 ? html` checked` : NOTHING;
    const name = `language-${operation.operationId}`;
    return html`<label><input type="radio" name="${name}" value="${language}" ${checked} />${title}</label>`;
  });
  return html`<div class="samples">
    <fieldset class="languages">
      <legend>Language</legend>
      ${choices}
    </fieldset>
    ${list.map(({ language, code }) => html`<div data-language="${language}">${codeBlock(code, language)}</div>`)}
    ${
      schema
        ? html`<p class="caption">Response ${status}</p>
            ${jsonBlock(exampleOf(schema))}`
        : NOTHING
    }
  </div>`;
}
