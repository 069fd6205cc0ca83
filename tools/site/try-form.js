import { exampleOf } from './document.js';
import { jsonText } from './markdown.js';
import { html, NOTHING } from './markup.js';
import { partsOf } from './operation.js';

/** A form that `assets/try-it.js` sends. It is hidden without scripts. All forms of a tab share the key. */
export function tryForm(operation) {
  const { operationId, method, wholePath } = operation;
  const { others, headers, body } = partsOf(operation);
  const idOf = (name) => `try-${operationId}-${name}`;
  const inputs = (list) => list.map((parameter) => input(parameter, idOf(parameter.name)));
  const text = html`<label for="${idOf('body')}">Body</label>
    <textarea id="${idOf('body')}" data-in="body" rows="5" spellcheck="false">
${jsonText(exampleOf(body, true))}</textarea>`;
  return html`<details class="try scripted-only">
    <summary>Try it</summary>
    <form data-method="${method}" data-path="${wholePath}" aria-label="Try ${operationId}">
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

function input({ name, in: place, required, schema }, id) {
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
