import { narrowed } from './json-number.js';

/**
 * Formats plain data as JSON, like `JSON.stringify` but with bigint as a number with all its digits. Values that JSON does not
 * have (undefined, functions, symbols) are left out of objects, and null elsewhere.
 */
export function writeJson(value: unknown): string {
  const data = copyOf(value);
  try {
    return JSON.stringify(data) ?? 'null';
  } catch {
    // It refuses a bigint. To go that way with each would take several times as long.
    return textOf(data) ?? 'null';
  }
}

/** A copy in which a bigint is a number if that is exact, and a Date its RFC 3339 text. */
function copyOf(value: unknown): unknown {
  if (typeof value === 'bigint') return narrowed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (hasJson(value)) return copyOf(value.toJSON());
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) copy[name] = copyOf(copy[name]);
  return copy;
}

/** Undefined for values that JSON does not have. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item) ?? 'null').join(',')}]`;
  const members = Object.entries(value).map(([name, member]) => [JSON.stringify(name), textOf(member)]);
  const known = members.filter(([, text]) => text !== undefined);
  return `{${known.map((member) => member.join(':')).join(',')}}`;
}

const hasJson = (value: object): value is { toJSON(): unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function';
