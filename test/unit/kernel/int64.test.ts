import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Int64 } from '../../../src/kernel/int64.js';

const SMALLEST = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;

describe('a 64-bit integer', () => {
  it.each([SMALLEST, -1n, 0n, 1n, LARGEST])('may be %s', (value) => {
    expect(Int64.holds(value)).toBe(true);
  });

  it.each([SMALLEST - 1n, LARGEST + 1n, 2n ** 64n])('may not be %s', (value) => {
    expect(Int64.holds(value)).toBe(false);
  });

  it.each(['0', '1', '-1', '9223372036854775807', '-9223372036854775808'])('is read from %s', (text) => {
    expect(Int64.parse(text)).toBe(BigInt(text));
  });

  it.each(['9223372036854775808', '-9223372036854775809', '10000000000000000000', '9'.repeat(400)])(
    'is not read from %s, which is too large',
    (text) => expect(Int64.parse(text)).toBeUndefined(),
  );

  it.each(['', ' 7', '7 ', '7\n', '+7', '007', '-0', '-', '7.0', '1e3', '0x7', '7n', 'abc', '٧', '１'])(
    'is not read from %j, which is not its only spelling',
    (text) => expect(Int64.parse(text)).toBeUndefined(),
  );

  it('is made of a number or a bigint, and undefined and null stay unchanged', () => {
    const given = [7, -7n, LARGEST, undefined, null];
    expect(given.map(Int64.from)).toEqual([7n, -7n, LARGEST, undefined, null]);
  });

  it('has one spelling, so a text that is read is written unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-+.e '), maxLength: 21 }), (text) => {
        const value = Int64.parse(text);
        expect(value === undefined || String(value) === text).toBe(true);
      }),
    );
  });
});
