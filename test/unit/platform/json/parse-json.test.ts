import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BODY_LIMITS } from '../../../../src/platform/json/json-limits.js';
import { type JsonValue, MalformedJson, parseJson } from '../../../../src/platform/json/parse-json.js';
import { anyText } from '../../../support/any-text.js';

const parse = (text: string) => parseJson(Buffer.from(text));
const membersOf = (count: number) => Array.from({ length: count }, (_, i) => `"f${i}":${i}`).join();
/** Data that the parser accepts: without the member names that it refuses. */
const plainData = fc
  .jsonValue({ maxDepth: 6 })
  .filter((value) => !JSON.stringify(value).includes('"__proto__":'));

/** The value with every integer as the double that `JSON.parse` would make of it. */
function asDoubles(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(asDoubles);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asDoubles(member)]));
}

describe('a JSON text', () => {
  it('means what it means to everybody', () => {
    fc.assert(
      fc.property(plainData, fc.constantFrom('', ' ', '\t', '\r\n'), (value, space) => {
        const text = space + JSON.stringify(value, null, space) + space;
        expect(asDoubles(parse(text))).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it.each<[string, string, JsonValue]>([
    [
      'every escape and every character',
      String.raw`"\"\\\/\b\f\n\r\t\u00fC 🐶 ${'\u007f'}"`,
      '"\\/\b\f\n\r\tü 🐶 \u007f',
    ],
    ['half of a surrogate pair, for the domain to refuse', String.raw`"Rex \ud83d"`, 'Rex \ud83d'],
    ['a surrogate pair that was escaped', String.raw`"\ud83d\udc36"`, '🐶'],
    ['the same name in different objects', '[{"a":1},{"a":{"a":2}}]', [{ a: 1 }, { a: { a: 2 } }]],
    ['an integer that no double holds exactly', '{"id":9223372036854775807}', { id: 2n ** 63n - 1n }],
  ])('may have %s', (_, text, value) => expect(parse(text)).toStrictEqual(value));

  it('may have names that mean something to JavaScript', () => {
    const text = '{"constructor":1,"toString":2,"hasOwnProperty":3,"prototype":4,"":5}';
    expect(parse(text)).toStrictEqual(JSON.parse(text));
  });
});

describe('a text that is not JSON', () => {
  it('is refused whenever everybody else refuses it', () => {
    const scribble = fc.string({
      unit: fc.constantFrom(...'{}[]",:\\/019.eE+-tfalsrun \n\u0000'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(scribble, (text) => {
        fc.pre(!isJson(text));
        expect(() => parse(text)).toThrow(MalformedJson);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused whenever a slip of the pen spoils it', () => {
    const slip = fc.record({ at: fc.nat(), character: fc.constantFrom(...'{}[]",:\\0e-. \n\u001f') });
    fc.assert(
      fc.property(plainData, slip, (value, { at, character }) => {
        const text = JSON.stringify(value);
        const place = at % text.length;
        const spoilt = text.slice(0, place) + character + text.slice(place + 1);
        fc.pre(!isJson(spoilt));
        expect(() => parse(spoilt)).toThrow(MalformedJson);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused wherever it was cut off', () => {
    const whole = fc.oneof(
      fc.array(plainData, { maxLength: 4 }),
      fc.dictionary(fc.string(), plainData, { maxKeys: 4 }),
      anyText(),
    );
    fc.assert(
      fc.property(whole, fc.nat(), (value, at) => {
        const bytes = Buffer.from(JSON.stringify(value));
        expect(() => parseJson(bytes.subarray(0, at % bytes.length))).toThrow(MalformedJson);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('what a text may have', () => {
  it('is a thousand members in an object', () => {
    expect(Object.keys(parse(`{${membersOf(1_000)}}`) as object)).toHaveLength(1_000);
    expect(() => parse(`[{${membersOf(1_001)}}]`)).toThrow('it has an object with more than 1000 members');
  });

  it.each(['1', '"a"', 'null', 'true', '{}', '[]'])('is 20,000 values of any kind, such as %s', (value) => {
    const list = (count: number) => Buffer.from(`[${Array.from({ length: count - 1 }, () => value).join()}]`);
    expect(parseJson(list(20_000), BODY_LIMITS)).toHaveLength(19_999);
    expect(() => parseJson(list(20_001), BODY_LIMITS)).toThrow('it has more than 20000 values');
  });

  it('is named in an answer at no length that the client chooses', () => {
    const name = JSON.stringify('🐶'.repeat(10_000));
    expect(() => parse(`{${name}:1,${name}:2}`)).toThrow(
      `it has the name "${'🐶'.repeat(32)}…" twice in one object`,
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
