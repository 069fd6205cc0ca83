import { exact } from './operations.js';

const KEY = 'Idempotency-Key';

/** Calls an operation. The result of its tool is the response of the service, unchanged, and then how to continue. */
export async function callTool(transport, { method, path, places, tool }, given, signal) {
  // Without a key a POST is not retried.
  const key = places.has(KEY) ? String(given[KEY] ?? crypto.randomUUID()).replace(/^"|"$/g, '') : undefined;
  try {
    const parts = { path: {}, query: {}, header: {}, body: {} };
    for (const [name, value] of Object.entries(exact(tool.inputSchema, given))) {
      const place = places.get(name);
      if (!place)
        throw new TypeError(`${name} is unknown. The arguments are ${[...places.keys()].join(', ')}.`);
      if (name !== KEY) parts[place][name] = place === 'body' ? value : String(value);
    }
    const url = path.replaceAll(/\{(.+?)\}/g, (_, name) => {
      if (/^\.{0,2}$/.test(parts.path[name] ?? '')) throw new TypeError(`${name} is missing.`);
      return encodeURIComponent(parts.path[name]);
    });
    const { query, header: headers, body } = parts;
    const request = { operation: tool.name, method, path: url, query, ...body, idempotencyKey: key };
    const build = () => ({ ...request, options: { headers, signal } });
    const { response } = await transport.send(build, (data) => data).withResponse();
    return { content: textsOf(response.text || `The response is ${response.status}.`, notesOf(response)) };
  } catch (error) {
    signal.throwIfAborted();
    const { message, code, response, tries } = error;
    const notes = response ? notesOf(response) : [];
    if (key && (tries || response?.status >= 500))
      notes.push(`It may have been executed. Repeat the call with ${KEY} ${key}`);
    const text = response && code !== 'unexpected_answer' ? response.text : message;
    return { content: textsOf(text, notes), isError: true };
  }
}

const textsOf = (text, notes) => [text, ...notes].map((one) => ({ type: 'text', text: one }));

/** The headers that a program needs. The weak tag of a list is left out, because nothing compares it. */
function notesOf({ status, headers, url }) {
  const names = ['ETag', 'Idempotency-Replayed', 'Retry-After', ...(status < 500 ? [] : ['X-Request-Id'])];
  const told = names.filter((name) => !/^(W\/|$)/.test(headers.get(name) ?? ''));
  const notes = told.map((name) => `${name}: ${headers.get(name)}`);
  const link = headers.get('link') ?? '';
  const [, next] = /<([^>]*)>; rel="next"/.exec(link) ?? [];
  const cursor = next && new URL(next, url).searchParams.get('cursor');
  if (next) notes.push(`There are more pages. Repeat the call with the cursor ${cursor}`);
  else if (link.includes('rel="first"')) notes.push('This is the last page.');
  return notes;
}
