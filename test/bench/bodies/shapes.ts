/** A JSON text that repeats one part. */
export interface Shape {
  readonly name: string;
  readonly begin: string;
  readonly part: (i: number) => string;
  readonly separator: string;
  readonly end: string;
}

const list = (name: string, item: string): Shape => ({
  name,
  begin: '{"name":[',
  part: () => item,
  separator: ',',
  end: ']}',
});

const members = (name: string, nameOf: (i: number) => string): Shape => ({
  name,
  begin: '{',
  part: (i) => `"${nameOf(i)}":0`,
  separator: ',',
  end: '}',
});

/** As deep as the parser accepts inside of the list that holds them. */
const LEVELS = 30;

/** What costs a parser, or the code that judges what was parsed, more than its bytes suggest. */
export const SHAPES: readonly Shape[] = [
  list('numbers', '1'),
  list('texts', '"a"'),
  list('nulls', 'null'),
  list('objects', '{}'),
  list('pairs', '[1,1]'),
  list('deep nesting', '['.repeat(LEVELS) + ']'.repeat(LEVELS)),
  members('many members', (i) => `m${i}`),
  members('long names', (i) => `${i}${'n'.repeat(1_000)}`),
  { name: 'escapes', begin: '{"name":"', part: () => String.raw`\u0061`, separator: '', end: '"}' },
  list('big integers', '12345678901234567890'),
];

/** The body of a route that takes a list of objects with two fields. */
export const DECLARED: Shape = { ...list('declared list', '{"name":"Rex","count":1}'), begin: '{"items":[' };

/** The text of a shape with this many parts. */
export const textOf = ({ begin, part, separator, end }: Shape, times: number): string =>
  begin + Array.from({ length: times }, (_, i) => part(i)).join(separator) + end;

/** The longest text of a shape that has at most `bytes` bytes. All characters are ASCII. */
export function textOfLength(shape: Shape, bytes: number): string {
  const { begin, part, separator, end } = shape;
  let length = begin.length + part(0).length + end.length;
  let times = 1;
  for (;;) {
    length += separator.length + part(times).length;
    if (length > bytes) return textOf(shape, times);
    times += 1;
  }
}
