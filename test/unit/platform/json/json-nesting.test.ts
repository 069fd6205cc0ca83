import { describe, expect, it } from 'vitest';
import { MalformedJson, parseJson } from '../../../../src/platform/json/parse-json.js';

const parse = (text: string) => parseJson(Buffer.from(text));

describe('nesting', () => {
  const lists = (depth: number, core = '') => '['.repeat(depth) + core + ']'.repeat(depth);
  const objects = (depth: number, core = '') =>
    `{"a":`.repeat(depth - 1) + `{${core}}` + '}'.repeat(depth - 1);
  const shapes: [string, (depth: number) => string][] = [
    ['lists', (depth) => lists(depth, '1')],
    ['empty lists', (depth) => lists(depth)],
    ['objects', (depth) => objects(depth, '"b":1')],
    ['empty objects', (depth) => objects(depth)],
    ['lists and objects', (depth) => `{"a":${lists(depth - 2, '{}')}}`],
  ];

  it.each(shapes)('may be 32 %s deep', (_, nested) => {
    expect(parse(nested(32))).toStrictEqual(JSON.parse(nested(32)));
  });

  it.each(shapes)('may not be 33 %s deep', (_, nested) => {
    expect(() => parse(nested(33))).toThrow('it is nested deeper than 32 levels');
  });

  it('of a hundred thousand levels is refused, not a reason to fall over', () => {
    expect(() => parse('['.repeat(100_000))).toThrow(MalformedJson);
  });

  it('counts levels, not brackets: many objects may stand side by side', () => {
    expect(parse(`[${Array.from({ length: 100 }, () => '{}').join()}]`)).toHaveLength(100);
  });
});
