import { exactIntegersIn } from './exact-integers.js';
import { parseJson } from './parse-json.js';

/** The media type of JSON in responses. */
export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/**
 * Formats plain data as JSON, like `JSON.stringify`, but a bigint becomes a number with all its digits. Values that JSON does not
 * have (undefined, functions, symbols) are left out of objects, and become null elsewhere.
 */
export const writeJson = (value: unknown): string => jsonText(value) ?? 'null';

/** A value that the service wrote as JSON. */
export type WrittenValue =
  null | boolean | number | bigint | string | WrittenValue[] | { [name: string]: WrittenValue };

/** Parses a text of `writeJson` into what was written: an integer that a number does not hold is a bigint. @throws MalformedJson */
export function parseWritten(text: string): WrittenValue {
  // A lone integer needs an object or array that keeps its exact value.
  const list = parseJson(Buffer.from(`[${text}]`)) as [WrittenValue];
  for (const { holder, name, exact } of exactIntegersIn(list)) holder[name] = exact;
  return list[0];
}

/** Undefined for values that JSON does not have. `JSON.stringify` with a replacer takes 1.5 to 2.5 times as long. */
function jsonText(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (hasJson(value)) return jsonText(value.toJSON());
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text && ','}${jsonText(item) ?? 'null'}`;
    return `[${text}]`;
  }
  for (const [name, member] of Object.entries(value)) {
    const memberText = jsonText(member);
    if (memberText !== undefined) text += `${text && ','}${quotedName(name)}:${memberText}`;
  }
  return `{${text}}`;
}

/** The first member names that were written, as JSON. Most responses have the same names. */
const NAMES = new Map<string, string>();
const [MAX_NAMES, MAX_LENGTH] = [1_000, 64];

function quotedName(name: string): string {
  const known = NAMES.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (NAMES.size < MAX_NAMES && name.length <= MAX_LENGTH) NAMES.set(name, text);
  return text;
}

const hasJson = (value: object): value is { toJSON(): unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function';
