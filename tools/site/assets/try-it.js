import { layOutJson } from './lay-out-json.js';

/* global document, fetch, FormData, URLSearchParams */

/**
 * Sends the request of a form in the reference to the service that served the page, whatever URLs are configured, and shows the
 * response. Bodies stay texts in both directions, because a double could lose digits of an integer.
 */
export async function send(form, key) {
  const output = form.querySelector('.answer');
  output.replaceChildren(element('p', 'Sending …'));
  const fields = [...form.querySelectorAll('[data-in]')].filter(({ value }) => value.trim() !== '');
  const of = (place) => fields.filter((field) => field.dataset.in === place);
  let path = form.dataset.path;
  for (const { name, value } of of('path'))
    path = path.replace(`{${name}}`, encodeURIComponent(value.trim()));
  const query = new URLSearchParams(of('query').map(({ name, value }) => [name, value.trim()]));
  const [body] = of('body');
  const headers = Object.fromEntries(of('header').map(({ name, value }) => [name, value.trim()]));
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body) headers['Content-Type'] = 'application/json';
  try {
    const address = `${new URL(`..${path}`, import.meta.url)}${query.size > 0 ? `?${query}` : ''}`;
    const answer = await fetch(address, { method: form.dataset.method, headers, body: body?.value });
    output.replaceChildren(...shown(answer, await answer.text()));
  } catch (error) {
    output.replaceChildren(element('p', `No response: ${error.message}.`));
  }
}

function* shown(answer, text) {
  const status = element('p', `${answer.status} ${answer.statusText}`);
  status.className = answer.ok ? 'status good' : 'status bad';
  yield status;
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  if (text !== '') yield block(isJson ? layOutJson(text) : text);
  const { code } = isJson && !answer.ok ? JSON.parse(text) : {};
  if (code) {
    const link = element('a', `What ${code} means`);
    link.href = new URL(`errors#${code}`, import.meta.url).href;
    const paragraph = element('p', '');
    paragraph.append(link);
    yield paragraph;
  }
  const details = element('details', '');
  const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
  details.append(element('summary', 'Headers'), block(lines.join('\n')));
  yield details;
}

function block(text) {
  const made = element('pre', text);
  made.tabIndex = 0;
  return made;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
