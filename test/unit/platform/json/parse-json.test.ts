import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BODY_LIMITS } from '../../../../src/platform/json/json-limits.js';
import { type JsonValue, MalformedJson, parseJson } from '../../../../src/platform/json/parse-json.js';
import { anyText } from '../../../support/any-text.js';

const parse = (text: string) => parseJson(Buffer.from(text));
const parseBody = (text: string) => parseJson(Buffer.from(text), BODY_LIMITS);
const membersOf = (count: number) => Array.from({ length: count }, (_, i) => `"f${i}":${i}`).join();
const plainData = fc.jsonValue({ maxDepth: 6 });

describe('a JSON text', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(plainData, fc.constantFrom('', ' ', '\t', '\r\n'), (value, space) => {
        const text = space + JSON.stringify(value, null, space) + space;
        expect(parse(text)).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it.each<[string, string, JsonValue]>([
    [
      'every escape and every character',
      String.raw`"\"\\\/\b\f\n\r\t\u00fC 🐶 ${'\u007f'}"`,
      '"\\/\b\f\n\r\tü 🐶 \u007f',
    ],
    ['half of a surrogate pair, which the domain rejects', String.raw`"Rex \ud83d"`, 'Rex \ud83d'],
    ['a surrogate pair that was escaped', String.raw`"\ud83d\udc36"`, '🐶'],
    ['the same name in different objects', '[{"a":1},{"a":{"a":2}}]', [{ a: 1 }, { a: { a: 2 } }]],
    ['an integer that no double holds exactly', '{"id":9223372036854775807}', { id: 2 ** 63 }],
  ])('may have %s', (_, text, value) => expect(parse(text)).toStrictEqual(value));

  it('may have names that have a meaning in JavaScript', () => {
    const text = '{"constructor":1,"toString":2,"hasOwnProperty":3,"prototype":4,"":5,"__proto__":{"a":6}}';
    const parsed = parse(text) as object;
    expect(Object.entries(parsed)).toStrictEqual(Object.entries(JSON.parse(text) as object));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });
});

describe('a text that is not JSON', () => {
  it('is rejected whenever JSON.parse rejects it', () => {
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

  it('is rejected after any change of a character that makes it invalid', () => {
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

  it('is rejected wherever it was cut off', () => {
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

describe('the limit of a body', () => {
  it('is a thousand members in an object', () => {
    expect(Object.keys(parseBody(`{${membersOf(1_000)}}`) as object)).toHaveLength(1_000);
    expect(() => parseBody(`[{${membersOf(1_001)}}]`)).toThrow(
      'it has an object with more than 1000 members',
    );
  });

  it.each(['1', '"a"', 'null', 'true', '{}', '[]'])('is 20,000 values of any kind, such as %s', (value) => {
    const list = (count: number) => `[${Array.from({ length: count - 1 }, () => value).join()}]`;
    expect(parseBody(list(20_000))).toHaveLength(19_999);
    expect(() => parseBody(list(20_001))).toThrow('it has more than 20000 values');
  });

  it('counts values at all depths, but not the names of members', () => {
    const list = (count: number) => `[${Array.from({ length: count }, () => '{"a":[1]}').join()}]`;
    expect(parseBody(list(6_666))).toHaveLength(6_666);
    expect(() => parseBody(list(6_667))).toThrow(MalformedJson);
  });

  it('is higher on request of the caller', () => {
    const limits = { ...BODY_LIMITS, values: 200_000 };
    const list = (count: number) => Buffer.from(`[${'1,'.repeat(count - 2)}1]`);
    expect(parseJson(list(200_000), limits)).toHaveLength(199_999);
    expect(() => parseJson(list(200_001), limits)).toThrow('it has more than 200000 values');
  });
});

describe('a text that the service has written', () => {
  it('may have any number of values and members, and any depth', () => {
    const depth = 1_000;
    expect(parse(`[${'{},'.repeat(300_000)}[]]`)).toHaveLength(300_001);
    expect(Object.keys(parse(`{${membersOf(1_001)}}`) as object)).toHaveLength(1_001);
    expect(JSON.stringify(parse('['.repeat(depth) + ']'.repeat(depth)))).toHaveLength(2 * depth);
  });
});

describe('a duplicate name', () => {
  it('is shortened in the error message', () => {
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
