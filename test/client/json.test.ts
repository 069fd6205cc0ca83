import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson, writeJson } from '../../client/src/json.js';
import { anyText } from '../support/any-text.js';

/** The value with integers as numbers, like `JSON.parse` returns them. */
const rounded = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
};
const outcome = (read: () => unknown) => {
  try {
    return { value: read() };
  } catch (error) {
    return { error: (error as Error).name };
  }
};

describe('the client’s JSON', () => {
  it('reads and writes every int64 with all its digits', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(fc.array(fc.record({ id: int64, categoryId: int64, name: anyText() })), (pets) => {
        const wellFormed = pets.map((pet) => ({ ...pet, name: pet.name.toWellFormed() }));
        expect(readJson(writeJson(wellFormed))).toEqual(wellFormed);
      }),
    );
  });

  it('reads what JSON.parse reads, and rejects what JSON.parse rejects', () => {
    const PIECES =
      '" \\ # $ { } [ ] : , 0 12 - .5 e3 "a" "1" true {"a": \\u0023 "#1" "$" null "a":1 "__proto__":[1]';
    const pieces = fc.constantFrom(' ', '\n', ...PIECES.split(' '));
    const damaged = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    const exact = (text: string) => {
      const { value, error } = outcome(() => readJson(text));
      const usual = outcome(() => JSON.parse(text) as unknown);
      expect(error).toEqual(usual.error);
      // -0 is a valid JSON number, but not an integer.
      if (!error) expect(JSON.stringify(rounded(value))).toBe(JSON.stringify(usual.value));
    };
    fc.assert(fc.property(damaged, exact), { numRuns: 5_000 });
    fc.assert(fc.property(fc.json({ stringUnit: 'binary' }), exact));
    for (const text of [
      '"abc \\12',
      '["a":1]',
      '{1:2}',
      '{"a" \n:1}',
      '007',
      '1.',
      '[1,]',
      '"\n"',
      '-',
      '\ufeff1',
    ])
      exact(text);
  });

  it('reads whole numbers as bigint, and other numbers as numbers', () => {
    expect(readJson('{"a":[0,-0,7],"b":7.5,"c":1e3,"1":"1"}')).toEqual({
      a: [0n, 0n, 7n],
      b: 7.5,
      c: 1_000,
      1: '1',
    });
  });

  it('writes what JSON.stringify writes', () => {
    const isSafe = (value: unknown) => Number.isSafeInteger(value) || !Number.isInteger(value);
    const leaf = fc.oneof(anyText(), fc.double().filter(isSafe), fc.boolean(), fc.constant(null));
    const { jsonValue } = fc.letrec((tie) => ({
      jsonValue: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('jsonValue')),
        fc.dictionary(fc.string(), tie('jsonValue')),
      ),
    }));
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(writeJson(value as never)).toBe(JSON.stringify(value));
      }),
    );
    expect(writeJson({ name: 'Rex', status: undefined })).toBe('{"name":"Rex"}');
  });
});
