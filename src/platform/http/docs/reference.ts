import { STATUS_CODES } from 'node:http';
import type { DeprecatedOperation } from '../deprecation/deprecation.js';
import type { Schema } from './schema.js';
import { codeBlock, jsonBlock, jsonText } from './markdown.js';
import { type Html, html, NOTHING, prose } from './markup.js';
import { exampleOf, type Operation, type Parameter } from './openapi.js';
import { addressLine, noticeOf } from './pages.js';
import { samplesOf } from './samples.js';

/** All operations, each with samples and a form to send it. */
export const referencePage = (
  operations: readonly Operation[],
  deprecated: readonly DeprecatedOperation[],
): Html =>
  html`<h1 id="reference">Reference</h1>
    <p class="lead">
      Every operation, with samples that run as they stand once <code>PETSTORE</code> and
      <code>PETSTORE_KEY</code> are set (<a href="/docs">quick start</a>). For programs it is an OpenAPI
      document: <a href="/openapi.json">JSON</a>, <a href="/openapi.yaml">YAML</a>,
      <a href="/openapi-3.0.json">OpenAPI 3.0</a>.
    </p>
    ${operations.map((operation) =>
      operationArticle(
        operation,
        deprecated.find(({ name }) => name === operation.operationId),
      ),
    )}`;

function operationArticle(operation: Operation, deprecated?: DeprecatedOperation): Html {
  const { operationId: id, summary = id, description = '', parameters = [], requestBody } = operation;
  const { 'x-scope': scope, 'x-stability': stability } = operation;
  const others = parameters.filter(({ in: place }) => place !== 'header');
  const headers = parameters.filter(({ in: place }) => place === 'header');
  const body = requestBody?.content['application/json']?.schema;
  const useful = deprecated?.gone
    ? NOTHING
    : html`${samples(operation)}${tryForm(operation, others, headers, body)}`;
  return html`<article class="operation">
    <div>
      <h2 id="${id}"><a class="anchor" href="#${id}">${summary.replace(/\.$/, '')}</a></h2>
      ${addressLine(operation)} ${deprecated ? noticeOf(deprecated) : NOTHING}
      ${stability ? html`<p class="notice">This operation is ${stability}: it may change or go.</p>` : NOTHING}
      <p>${prose(description)}</p>
      ${scope ? html`<p class="aside">A restricted key needs the scope <code>${scope}</code>.</p>` : NOTHING}
      ${fields('Parameters', others.map(fieldOfParameter))} ${body ? fields('Body', fieldsOf(body)) : NOTHING}
      ${fields('Headers', headers.map(fieldOfParameter))} ${answers(operation)}
    </div>
    <div class="beside">${useful}</div>
  </article>`;
}

const fields = (title: string, list: readonly Html[]): Html =>
  list.length > 0
    ? html`<h3>${title}</h3>
        <dl class="fields">${list}</dl>`
    : NOTHING;

const fieldOfParameter = ({ name, required = false, description = '', schema }: Parameter): Html =>
  field(name, required, { ...schema, description });

/** The fields of an object, or of a list's items. In answers `required` is not shown: such fields are always present. */
function fieldsOf(schema: Schema, isAnswer = false): Html[] {
  const { properties = {}, required: needed = [] } = schema.items ?? schema;
  const required = isAnswer ? [] : needed;
  return Object.entries(properties).map(([name, property]) => field(name, required.includes(name), property));
}

const field = (name: string, isRequired: boolean, schema: Schema): Html =>
  html`<dt>
      <code>${name}</code> <span class="aside">${typeOf(schema)}</span>
      ${isRequired ? html`<span class="required">required</span>` : NOTHING}
    </dt>
    <dd>${prose(`${schema.description ?? ''} ${boundsOf(schema)}`)}</dd>`;

function typeOf({ type = 'any', format, items }: Schema): Html {
  if (items) return html`array of ${typeOf(items)}`;
  const name = [type].flat().join(' or ');
  if (format === 'int64') return html`${name}, <a href="/docs/guide#64-bit-integers">int64</a>`;
  return html`${format ? `${name}, ${format}` : name}`;
}

function boundsOf(schema: Schema): string {
  const { enum: words, minimum, maximum, minLength, maxLength, default: standard, description = '' } = schema;
  /** Some descriptions mention the bounds themselves. */
  const isSaid = (bound: unknown) => description.includes(String(bound));
  const between = (least: unknown, most: unknown, unit: string) =>
    (least ?? most) === undefined || isSaid(most)
      ? []
      : [`${least === undefined ? 'up' : String(least)} to ${String(most ?? 'any')}${unit}.`];
  return [
    ...(words ? [`One of ${words.map((word) => `\`${String(word)}\``).join(', ')}.`] : []),
    ...between(minimum, maximum, ''),
    ...between(minLength, maxLength, ' characters'),
    ...(standard === undefined || isSaid(standard) ? [] : [`\`${String(standard)}\` if left out.`]),
  ].join(' ');
}

function answers({ responses }: Operation): Html {
  const all = Object.entries(responses).map(([status, { description = '', content }]) => {
    const { schema, examples = {} } = content?.['application/json'] ?? {};
    return { status: Number(status), description, schema, codes: Object.keys(examples) };
  });
  const good = all.filter(({ status }) => status < 400);
  const bad = all.filter(({ status }) => status >= 400);
  return html`<h3>Answers</h3>
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

function samples(operation: Operation): Html {
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
        ? html`<p class="caption">Answer ${status!}</p>
            ${jsonBlock(exampleOf(schema))}`
        : NOTHING
    }
  </div>`;
}

/** A form that `try-it.js` sends; it is hidden without scripts. All forms of a tab share the key. */
function tryForm(
  { operationId, method, path }: Operation,
  others: readonly Parameter[],
  headers: readonly Parameter[],
  body?: Schema,
): Html {
  const idOf = (name: string) => `try-${operationId}-${name}`;
  const inputs = (list: readonly Parameter[]) =>
    list.map((parameter) => input(parameter, idOf(parameter.name)));
  const text = html`<label for="${idOf('body')}">Body</label>
    <textarea id="${idOf('body')}" data-in="body" rows="5" spellcheck="false">
${jsonText(exampleOf(body, true))}</textarea>`;
  return html`<details class="try scripted-only">
    <summary>Try it</summary>
    <form data-method="${method}" data-path="${path}" aria-label="Try ${operationId}">
      <label for="${idOf('key')}">API key <span class="aside">kept in this tab only</span></label>
      <input id="${idOf('key')}" data-key autocomplete="off" spellcheck="false" placeholder="psk_..." />
      ${inputs(others)} ${body ? text : NOTHING}
      ${
        headers.length > 0
          ? html`<details>
              <summary>Headers</summary>
              ${inputs(headers)}
            </details>`
          : NOTHING
      }
      <button type="submit">Send</button>
      <div class="answer" role="status"></div>
    </form>
  </details>`;
}

function input({ name, in: place, required, schema }: Parameter, id: string): Html {
  const label = html`<label for="${id}"
    >${name} ${required ? html`<span class="required">required</span>` : NOTHING}</label
  >`;
  const attributes = html`id="${id}" name="${name}" data-in="${place}"`;
  if (!schema?.enum) {
    const value = required ? String(exampleOf(schema)) : '';
    return html`${label}<input ${attributes} value="${value}" autocomplete="off" spellcheck="false" />`;
  }
  const options = schema.enum.map((word) => html`<option>${String(word)}</option>`);
  return html`${label}<select ${attributes}>
      ${required ? NOTHING : html`<option></option>`}${options}
    </select>`;
}
