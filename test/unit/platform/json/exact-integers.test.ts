import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactIntegersIn, exactOf, setNumber } from '../../../../src/platform/json/exact-integers.js';
import { type JsonValue, parseJson } from '../../../../src/platform/json/parse-json.js';
import { parseWritten, writeJson } from '../../../../src/platform/json/write-json.js';

const parse = (text: string) => parseJson(Buffer.from(text));
const places = (value: unknown) =>
  exactIntegersIn(value).map(({ path, exact }) => `${path.join('/')} ${exact}`);
const MAX = 2n ** 63n - 1n;

describe('an integer that a number does not hold', () => {
  it('is the number that JSON.parse makes, in every place and of every size', () => {
    const digits = fc.bigInt({ min: -(10n ** 79n), max: 10n ** 79n });
    fc.assert(
      fc.property(digits, (value) => {
        const text = `[${value},{"a":[${value}]}]`;
        expect(parse(text)).toStrictEqual(JSON.parse(text));
        expect(parse(String(value))).toBe(Number(value));
        const isHeld = Number.isSafeInteger(Number(value));
        expect(places(parse(text))).toEqual(isHeld ? [] : [`0 ${value}`, `1/a/0 ${value}`]);
      }),
    );
  });

  it('has its exact value beside it, in the object or array that holds it', () => {
    const body = parse(
      '{"id":9223372036854775807,"near":9007199254740991,"in":[1,-9223372036854775808,"2"]}',
    ) as Record<string, JsonValue>;
    expect([exactOf(body, 'id'), exactOf(body['in'], 1)]).toEqual([MAX, -(2n ** 63n)]);
    for (const name of ['near', 'in', 'other', 'toString']) expect(exactOf(body, name)).toBeUndefined();
    for (const index of [0, 2, 3]) expect(exactOf(body['in'], index)).toBeUndefined();
    for (const other of [undefined, null, 7, 'x', {}]) expect(exactOf(other, 'id')).toBeUndefined();
  });

  it('may be a member __proto__ of a text without limits', () => {
    const value = parse('{"a":{"__proto__":9223372036854775807}}');
    expect(places(value)).toEqual([`a/__proto__ ${MAX}`]);
    expect(Object.getOwnPropertyDescriptor((value as { a: object }).a, '__proto__')).toEqual({
      value: 2 ** 63,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  });

  it('is found in each part of a value by its path in the part', () => {
    const body = parse('{"one":{"a":[1,9007199254740993]},"two":[1],"b":9007199254740993}') as {
      one: JsonValue;
      two: JsonValue;
    };
    expect(places(body)).toEqual(['one/a/1 9007199254740993', 'b 9007199254740993']);
    expect(places(body.one)).toEqual(['a/1 9007199254740993']);
    expect(places(body.two)).toEqual([]);
  });

  it('is forgotten when another value is assigned', () => {
    const body = parse('{"id":9007199254740993,"in":{"id":9007199254740993}}') as Record<string, unknown>;
    body['id'] = 7;
    body['in'] = undefined;
    expect([exactOf(body, 'id'), places(body)]).toEqual([undefined, []]);
  });

  it('leaves no trace in a copy, and in a value without such integers', () => {
    const body = parse('{"id":9007199254740993,"in":[{"a":1}]}') as Record<string, JsonValue>;
    expect([Object.keys(body), places({ ...body })]).toEqual([['id', 'in'], []]);
    expect(Object.getOwnPropertySymbols(body['in'])).toEqual([]);
  });
});

it('a number that is set has its exact value beside it, too', () => {
  const record: Record<string, unknown> = {};
  setNumber(record, 'id', '9223372036854775807');
  setNumber(record, 'rows', '7.0');
  expect([record, exactOf(record, 'id'), exactOf(record, 'rows')]).toEqual([
    { id: 2 ** 63, rows: 7 },
    MAX,
    undefined,
  ]);
});

it.each<unknown>([
  MAX,
  [1, MAX, 'x', null],
  { a: { b: [{ c: -MAX }, 1.5, 7] }, d: MAX, e: 7 },
  9007199254740991,
  'text',
])('a value that was written is read as it was, with bigints where numbers do not suffice: %o', (value) =>
  expect(parseWritten(writeJson(value))).toStrictEqual(value),
);
