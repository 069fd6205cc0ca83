/**
 * JSON text of plain data: strings, numbers, booleans, null, arrays and objects, and bigint as a JSON number with all its
 * digits, which `JSON.stringify` refuses. Members that are undefined are left out.
 */
export function writeJson(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value) : writeObject(value);
    default:
      return JSON.stringify(value);
  }
}

function writeArray(items: readonly unknown[]): string {
  let text = '[';
  for (const item of items) text += `${text.length > 1 ? ',' : ''}${writeJson(item)}`;
  return `${text}]`;
}

function writeObject(object: object): string {
  let text = '{';
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined)
      text += `${text.length > 1 ? ',' : ''}${JSON.stringify(name)}:${writeJson(value)}`;
  }
  return `${text}}`;
}
