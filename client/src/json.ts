/** Values that the client writes as JSON. An int64 is a bigint, and an instant may be a Date. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/**
 * A string or a number, with the colon if it is the name of a member. A string without an end matches up to the end of the text.
 */
const TOKEN = /(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:\s*:)?|"[^]*/g;
const WHOLE_NUMBER = /^-?\d+$/;

/**
 * Reads JSON like `JSON.parse`, but whole numbers (`7`, not `7.0`) become bigint, with all their digits. To that end they first
 * become strings that begin with `#`, while all other strings begin with `$`. `JSON.stringify` writes each bigint of a returned
 * object as text, as ProtoJSON does with an int64.
 * @throws SyntaxError if the text is not JSON
 */
export function readJson(text: string): unknown {
  return JSON.parse(text.replace(TOKEN, mark), unmark);
}

function mark(token: string): string {
  if (token.endsWith(':')) return token;
  if (token.startsWith('"')) return `"$${token.slice(1)}`;
  return WHOLE_NUMBER.test(token) ? `"#${token}"` : token;
}

function unmark(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('#') ? BigInt(value.slice(1)) : value.slice(1);
  if (value === null || typeof value !== 'object' || Array.isArray(value) || Object.hasOwn(value, 'toJSON'))
    return value;
  return Object.defineProperty(value, 'toJSON', { value: toJSON }); // `toJSON` is not enumerable, so it does not appear in the data
}

function toJSON(this: object): object {
  const members = Object.entries(this) as [string, unknown][];
  return Object.fromEntries(
    members.map(([name, member]) => [name, typeof member === 'bigint' ? String(member) : member]),
  );
}

/**
 * Writes JSON, with all digits of a bigint. Undefined members are left out.
 * @throws RangeError for a whole number beyond 2^53, which may have been rounded before, and for an invalid Date
 * @throws TypeError for a value that JSON does not have, such as a function
 */
export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`${value} may have lost digits: give whole numbers beyond 2^53 as bigint.`);
  if (value === null || typeof value !== 'object') return writeScalar(value);
  if (value instanceof Date) return JSON.stringify(writeInstant(value));
  if (isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(member)}`],
  );
  return `{${members.join(',')}}`;
}

/** An instant as RFC 3339. @throws RangeError for an invalid Date */
export function writeInstant(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new RangeError('A Date to send is invalid.');
  return date.toISOString();
}

function writeScalar(value: null | boolean | number | string): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`JSON has no ${typeof value}.`);
  return text;
}

/** With `Array.isArray`, TypeScript does not distinguish a read-only array from an object. */
const isArray = (value: object): value is readonly Json[] => Array.isArray(value);
