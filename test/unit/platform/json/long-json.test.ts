import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src/platform/json/parse-json.js';

const SIZE = 8 * 1024 * 1024;
const parse = (text: string) => parseJson(Buffer.from(text));

describe('a text of eight megabytes', () => {
  it.each([
    ['letters', 'a'],
    ['letters of two bytes', 'ü'],
    ['animals', '🐶'],
    ['escapes', String.raw`\n`],
    ['escaped quotes', String.raw`\"`],
    ['escaped code points', String.raw`\u00e9`],
  ])('may be one text of %s', (_, unit) => {
    const literal = `"${unit.repeat(SIZE / Buffer.byteLength(unit))}"`;
    expect(parse(literal) === JSON.parse(literal)).toBe(true);
  });

  it('may be the name of a member', () => {
    const name = 'n'.repeat(SIZE);
    expect(Object.keys(parse(`{"${name}":1}`) as object)[0] === name).toBe(true);
  });

  it('may be one number, which is out of every range', () => {
    expect(parse('9'.repeat(SIZE))).toBe(Infinity);
    expect(parse(`0.${'0'.repeat(SIZE)}1`)).toBe(Number.NaN);
  });

  it('may be space', () => expect(parse(`[1${' '.repeat(SIZE)}]`)).toEqual([1]));

  it('may be a list of a million numbers', () => {
    expect(parse(`[${'7,'.repeat(999_999)}7]`)).toHaveLength(1_000_000);
  });

  it.each([
    ['a text without an end', `"${'a'.repeat(SIZE)}`, 'at character 1'],
    ['escapes without an end', `"${String.raw`\n`.repeat(SIZE / 2)}`, 'at character 1'],
    ['an escape that ends it', `"${'a'.repeat(SIZE)}\\`, 'at character 1'],
    ['a control character', `["${'a'.repeat(SIZE)}\n"]`, 'at character 2'],
    ['an unknown escape', `["${'a'.repeat(SIZE)}\\x"]`, 'at character 2'],
    ['a number that goes wrong', `${'9'.repeat(SIZE)}x`, `at character ${SIZE + 1}`],
  ])('is refused for %s', (_, text, where) => {
    expect(() => parse(text)).toThrow(`something is wrong ${where}`);
  });
});
