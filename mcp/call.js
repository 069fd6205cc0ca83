import { exact } from './operations.js';

const KEY = 'Idempotency-Key';

/** Calls an operation. The result of its tool is the answer, or the refusal, as it came, and then how to go on. */
export async function callTool(client, { method, path, places, tool }, given, signal) {
  const key = places.has(KEY) && String(given[KEY] ?? crypto.randomUUID()).replace(/^"(.*)"$/, '$1');
  try {
    const parts = { path: {}, query: {}, header: {}, body: {} };
    for (const [name, value] of Object.entries(exact(tool.inputSchema, given))) {
      const place = places.get(name);
      if (!place) throw new TypeError(`${name} is unknown; known are: ${[...places.keys()].join(', ')}.`);
      if (name !== KEY) parts[place][name] = place === 'body' ? value : String(value);
    }
    const url = path.replaceAll(/\{(.+?)\}/g, (_, name) => {
      if (/^\.{0,2}$/.test(parts.path[name] ?? '')) throw new TypeError(`${name} is missing.`);
      return encodeURIComponent(parts.path[name]);
    });
    // Without its key a POST must not be sent again.
    const once = method === 'post' && (key ? { idempotencyKey: key } : { maxTries: 1 });
    const options = { query: parts.query, headers: parts.header, signal, ...once };
    const values = method === 'post' || method === 'patch' ? [parts.body.body, options] : [options];
    const { response } = await client[method](url, ...values).withResponse();
    return { content: textsOf(response.text || `The answer is ${response.status}.`, notesOf(response)) };
  } catch (error) {
    signal.throwIfAborted();
    const { message, code, response, tries } = error;
    const notes = response ? notesOf(response) : [];
    if (key && (tries || response?.status >= 500)) notes.push(`It may be done: repeat it with ${KEY} ${key}`);
    const text = response && code !== 'unexpected_answer' ? response.text : message;
    return { content: textsOf(text, notes), isError: true };
  }
}

const textsOf = (text, notes) => [text, ...notes].map((one) => ({ type: 'text', text: one }));

/** What a program needs of the headers; not the weak tag of a list, which nothing compares. */
function notesOf({ status, headers, url }) {
  const names = ['ETag', 'Idempotency-Replayed', 'Retry-After', ...(status < 500 ? [] : ['X-Request-Id'])];
  const notes = names
    .map((name) => `${name}: ${headers.get(name)}`)
    .filter((note) => !/: (null|W\/.*)$/.test(note));
  const link = headers.get('link') ?? '';
  const [, next] = /<([^>]*)>; rel="next"/.exec(link) ?? [];
  const cursor = next && new URL(next, url).searchParams.get('cursor');
  if (next) notes.push(`There is more: repeat the call with the cursor ${cursor}`);
  else if (link.includes('rel="first"')) notes.push('This is the last page.');
  return notes;
}
