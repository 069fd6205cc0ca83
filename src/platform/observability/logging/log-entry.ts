import { format } from 'node:util';
import { pino } from 'pino';

/** The arguments of a call of Nest's logger, as one line of the log. */
export interface LogEntry {
  readonly fields: { readonly context: string | undefined };
  readonly text: string | undefined;
}

/**
 * Interprets arguments as Nest's own logger does: the last string is the context, objects are fields, other strings belong to
 * the message. The first error becomes `err`, as does a stack, which Nest passes as a string, even last.
 */
export function logEntry(message: unknown, rest: readonly unknown[]): LogEntry {
  const [first, second] = rest;
  // The form of the service's own lines, of which there is one for each request.
  if (typeof message === 'string' && isPlainObject(first) && isName(second) && rest.length === 2)
    return { fields: { context: second, ...first }, text: message };

  const parts = [message, ...rest];
  const end = isStack(parts.at(-1)) ? parts.length - 2 : parts.length - 1;
  const name = end > 0 ? parts[end] : undefined;
  const context = typeof name === 'string' && !isStack(name) ? name : undefined;
  if (context !== undefined) parts.splice(end, 1);

  const fields = { context };
  const texts: string[] = [];
  let err: Error | ErrorText | undefined;
  for (const [i, part] of parts.entries()) {
    if (isPlainObject(part)) Object.assign(fields, part);
    else if (!err && part instanceof Error) err = part;
    else if (!err && i > 0 && isStack(part)) err = errorOf(part);
    else if (i === 0 || (part !== undefined && part !== err?.stack)) texts.push(textOf(part));
  }
  if (err) Object.assign(fields, { err });
  return { fields, text: texts.length > 0 ? texts.join(' ') : err?.message };
}

const textOf = (part: unknown) => (typeof part === 'object' ? format(part) : String(part));

const isName = (part: unknown): part is string => typeof part === 'string' && !part.includes('\n');

/** The same test as in Nest. */
const isStack = (part: unknown): part is string =>
  typeof part === 'string' && /\n[ \t]+at .+:\d+:\d+/.test(part);

/** Whether an object is a literal: the fields of class instances are not self-explanatory. */
function isPlainObject(part: unknown): part is object {
  if (typeof part !== 'object' || part === null) return false;
  const prototype = Object.getPrototypeOf(part) as unknown;
  return prototype === Object.prototype || prototype === null;
}

/** An error of which only the stack is known. */
class ErrorText {
  constructor(
    readonly type: string,
    readonly message: string,
    readonly stack: string,
  ) {}
}

function errorOf(stack: string): ErrorText {
  const title = stack.slice(0, stack.search(/\n[ \t]+at /));
  const [, type, message] = /^(\w+)(?: \[\w+\])?(?:: ([^]*))?$/.exec(title) ?? [];
  return new ErrorText(type ?? 'Error', message ?? (type ? '' : title), stack);
}

const serialize = (error: Error) => (error instanceof ErrorText ? error : pino.stdSerializers.err(error));

/** The serializers for errors, including the common name `error`. */
export const ERROR_SERIALIZERS = { err: serialize, error: serialize };
