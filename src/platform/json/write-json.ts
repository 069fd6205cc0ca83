/**
 * Formats plain data as JSON, like `JSON.stringify` but with bigint as a number with all its digits. Values that JSON does not
 * have (undefined, functions, symbols) are left out of objects, and null elsewhere.
 */
export const writeJson = (value: unknown): string => textOf(value) ?? 'null';

/** Undefined for values that JSON does not have. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // A Date becomes its RFC 3339 text.
  if (hasJson(value)) return textOf(value.toJSON());
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = [];
  for (const [name, member] of Object.entries(value)) {
    const text = textOf(member);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

const hasJson = (value: object): value is { toJSON(): unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function';
