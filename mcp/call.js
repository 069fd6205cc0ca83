import { readArguments } from './arguments.js';
import { INT64, mapValue } from './operations.js';

const KEY = 'Idempotency-Key';
/** Hosts wait for 60 s, as the SDK of the protocol does. All tries of a call take less, so that the result arrives. */
const CALL_MS = 45_000;
/** How long one try may take, so that there is time for four of them. In milliseconds. */
export const TRY_MS = 10_000;

/** Calls an operation. The result of its tool is the response of the service, unchanged, and then how to continue. */
export async function callTool(transport, operation, given, cancelled) {
  const deadline = AbortSignal.timeout(CALL_MS);
  const signal = AbortSignal.any([cancelled, deadline]);
  let request;
  try {
    request = requestOf(operation, given);
    const build = () => ({ ...request, options: { ...request.options, signal } });
    const { data, response } = await transport.send(build, (read) => read).withResponse();
    const content = textsOf(response.text || `The response is ${response.status}.`, notesOf(response));
    const { outputSchema } = operation.tool;
    if (!outputSchema) return { content };
    return { content, structuredContent: structured(outputSchema, data, nextCursorOf(response)) };
  } catch (error) {
    cancelled.throwIfAborted();
    const { message, code, response } = error;
    const notes = response ? notesOf(response) : [];
    if (response?.status === 410 && operation.instead) notes.push(operation.instead);
    if (request && mayBeDone(request, error, deadline)) notes.push(howToRepeat(request));
    if (deadline.aborted) return failed(`The service did not answer within ${CALL_MS / 1_000} s.`, notes);
    return failed(response && code !== 'unexpected_answer' ? response.text : message, notes);
  }
}

/** @throws TypeError if the arguments do not make a request. Nothing is sent then. */
function requestOf({ method, path, places, tool }, given) {
  const parts = { path: {}, query: {}, header: {}, body: {} };
  for (const [name, value] of Object.entries(readArguments(tool, given))) {
    const place = places.get(name);
    parts[place][name] = place === 'body' ? value : String(value);
  }
  const { [KEY]: key = crypto.randomUUID(), ...headers } = parts.header;
  const url = path.replaceAll(/\{(.+?)\}/g, (_, name) => {
    if (/^\.{0,2}$/.test(parts.path[name])) throw new TypeError(`${name} is missing.`);
    return encodeURIComponent(parts.path[name]);
  });
  return {
    operation: tool.name,
    method,
    path: url,
    query: parts.query,
    ...parts.body,
    // Without a key a POST is not retried.
    ...(places.has(KEY) && { idempotencyKey: key.replaceAll(/^"|"$/g, '') }),
    options: { headers },
  };
}

/** Whether the service may have executed a request that failed, in its last try or, if there is a key, in one before. */
function mayBeDone({ method, idempotencyKey }, { response, code, tries }, deadline) {
  if (method === 'GET') return false;
  if (deadline.aborted || tries !== undefined || response?.status >= 500) return true;
  return idempotencyKey !== undefined && (response?.status === 429 || code === 'idempotency_in_progress');
}

function howToRepeat({ idempotencyKey }) {
  if (idempotencyKey) return `It may have been executed. Repeat the call with ${KEY} ${idempotencyKey}`;
  return 'It may have been executed. Read what is there before you repeat the call.';
}

/** The data of a response with each int64 as text. A list is a member, because the protocol requires an object. */
function structured(outputSchema, data, nextCursor) {
  const output = Array.isArray(data) ? { items: data, ...(nextCursor && { nextCursor }) } : data;
  return mapValue(outputSchema, output, ({ pattern }, value) => {
    if (typeof value !== 'bigint') return value;
    const number = Number(value);
    return pattern === INT64 || !Number.isSafeInteger(number) ? String(value) : number;
  });
}

const failed = (text, notes) => ({ content: textsOf(text, notes), isError: true });

const textsOf = (text, notes) => [text, ...notes].map((one) => ({ type: 'text', text: one }));

/** The headers that a program needs. The weak tag of a list is left out, because nothing compares it. */
function notesOf(response) {
  const { status, headers } = response;
  const names = ['ETag', 'Idempotency-Replayed', 'Retry-After', ...(status < 500 ? [] : ['X-Request-Id'])];
  const told = names.filter((name) => !/^(W\/|$)/.test(headers.get(name) ?? ''));
  const notes = told.map((name) => `${name}: ${headers.get(name)}`);
  const cursor = nextCursorOf(response);
  if (cursor) notes.push(`There are more pages. Repeat the call with the cursor ${cursor}`);
  else if (headers.get('link')?.includes('rel="first"')) notes.push('This is the last page.');
  return notes;
}

/** Undefined on the last page. */
function nextCursorOf({ headers, url }) {
  const [, next] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return next && new URL(next, url).searchParams.get('cursor');
}
