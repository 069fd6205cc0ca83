import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../src/platform/json/parse-json.js';

const SIZE = 8 * 1024 * 1024;
const parse = (text: string) => parseJson(Buffer.from(text));

describe('a text of eight megabytes', () => {
  it.each([
    ['letters', 'a'],
    ['emoji', '🐶'],
    ['escapes', String.raw`\n`],
    ['escaped quotes', String.raw`\"`],
  ])('may be one text of %s', (_, unit) => {
    const literal = `"${unit.repeat(SIZE / Buffer.byteLength(unit))}"`;
    expect(parse(literal) === JSON.parse(literal)).toBe(true);
  });

  it('may be a list of a million numbers', () => {
    expect(parse(`[${'7,'.repeat(999_999)}7]`)).toHaveLength(1_000_000);
  });
});
