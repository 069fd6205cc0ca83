import { format } from 'node:util';
import { hasSecretMember, memberOf, withoutSecrets } from './secrets.js';

/** The properties of an error that are logged. Its other properties, such as a request or a configuration, may be secret. */
interface ShownError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string | number;
  readonly cause?: ShownError;
}

/** In characters. A text that is longer is cut in its middle, because the end of a stack is more useful. */
const LONGEST_TEXT = 6_000;
const MOST_CAUSES = 2;
const DEEPEST_FIELD = 4;

/** The names of the fields that the log writes itself. JSON must not have a name twice, so a field of a module gets a prefix. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['level', 'time', 'context', 'msg', 'err', 'shortened']);
const PREFIX = 'field_';

/**
 * The arguments of a call of Nest's logger, as one line of the log. They are interpreted as in Nest's own logger: the last string
 * is the context, objects are fields, and other strings belong to the message. The first error becomes `err`. A stack, which Nest
 * passes as a string, becomes `err` too, even if it is the last argument. So does an error in a field `err`, as in pino.
 */
export function logEntry(message: unknown, rest: readonly unknown[]) {
  const parts = [message, ...rest];
  const end = isStack(parts.at(-1)) ? parts.length - 2 : parts.length - 1;
  const name = end > 0 ? parts[end] : undefined;
  const context = typeof name === 'string' && !isStack(name) ? name : undefined;
  if (context !== undefined) parts.splice(end, 1);

  const fields: Record<string, unknown> = { context };
  const texts: string[] = [];
  let stack: unknown;
  let err: ShownError | undefined;
  for (const [i, part] of parts.entries()) {
    if (isPlainObject(part)) {
      const { err: error, ...others } = part;
      const isError = !err && error instanceof Error;
      if (isError) [err, stack] = [shownError(error), error.stack];
      addFields(fields, isError ? others : part);
    } else if (!err && part instanceof Error) [err, stack] = [shownError(part), part.stack];
    else if (!err && i > 0 && isStack(part)) [err, stack] = [errorOf(part), part];
    else if (i === 0 || (part !== undefined && part !== stack)) texts.push(textOf(part));
  }
  if (err) fields['err'] = err;
  return { fields, text: texts.length > 0 ? cut(texts.join(' ')) : err?.message };
}

/**
 * What was thrown, for the log: an error, or a text. For an object that is not an error, the text contains only its class and its
 * message.
 */
export function loggable(thrown: unknown): Error | string {
  const { code, context } = (thrown ?? {}) as { code?: unknown; context?: unknown };
  // An event `error` was emitted without an error. Node's message for it would contain the whole value.
  if (thrown instanceof Error) return code === 'ERR_UNHANDLED_ERROR' ? loggable(context) : thrown;
  if (Object(thrown) !== thrown) return format(thrown);
  const { constructor, message } = thrown as Partial<Error>;
  return `${constructor?.name ?? 'object'}: ${typeof message === 'string' ? message : 'no error was thrown, but this'}`;
}

function addFields(fields: Record<string, unknown>, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    fields[OWN_FIELDS.has(name) ? PREFIX + name : name] = memberOf(name, value, (one) => shown(one, 1));
}

function textOf(part: unknown): string {
  if (part instanceof Error) return cut(String(part.stack));
  return cut(typeof part === 'object' ? format(shown(part)) : String(part));
}

/** Nest's logger does the same test. */
const isStack = (part: unknown): part is string =>
  typeof part === 'string' && /\n[ \t]+at .+:\d+:\d+/.test(part);

/** Whether an object is a plain object. The fields of class instances would not be self-explanatory. */
function isPlainObject(part: unknown): part is Readonly<Record<string, unknown>> {
  if (typeof part !== 'object' || part === null) return false;
  const prototype = Object.getPrototypeOf(part) as unknown;
  return prototype === Object.prototype || prototype === null;
}

/** A copy without secret members, in which each error has only the properties that are logged. */
function shown(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return shownError(value);
  // As a text, a URL would show its password as a member.
  if (value instanceof URL) return cut(value.href);
  if (!Array.isArray(value) && !isPlainObject(value) && !hasSecretMember(value)) return value;
  if (depth > DEEPEST_FIELD) return '...';
  if (Array.isArray(value)) return value.map((one) => shown(one, depth + 1));
  const showDeeper = (one: unknown) => shown(one, depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, memberOf(name, one, showDeeper)]),
  );
}

function shownError(error: Error, depth = 0): ShownError {
  const { name, message, stack, cause, code } = error as NodeJS.ErrnoException;
  return {
    type: String(name === 'Error' ? error.constructor.name : name),
    message: cut(String(message)),
    stack: cut(String(stack)),
    ...((typeof code === 'string' || typeof code === 'number') && { code: shown(code) as string | number }),
    ...(cause instanceof Error && depth < MOST_CAUSES && { cause: shownError(cause, depth + 1) }),
  };
}

/** An error, if only its stack is known. */
function errorOf(stack: string): ShownError {
  const title = stack.slice(0, stack.search(/\n[ \t]+at /));
  const [, type, message] = /^(\w+)(?: \[\w+\])?(?:: ([^]*))?$/.exec(title) ?? [];
  return { type: type ?? 'Error', message: cut(message ?? (type ? '' : title)), stack: cut(stack) };
}

function cut(text: string): string {
  // Half of a secret would not be recognised in the line.
  const safe = text.length > LONGEST_TEXT ? withoutSecrets(text) : text;
  if (safe.length <= LONGEST_TEXT) return safe;
  return `${safe.slice(0, LONGEST_TEXT / 2)} ... ${safe.slice(-LONGEST_TEXT / 2)}`;
}
