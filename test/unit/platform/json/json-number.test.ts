import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumber } from '../../../../src/platform/json/json-number.js';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const isWhole = (value: number | bigint) => typeof value === 'bigint' || Number.isInteger(value);

describe('a whole number', () => {
  it.each<[string, number | bigint]>([
    ['0', 0],
    ['7', 7],
    ['7.0', 7],
    ['-7.00', -7],
    ['70e-1', 7],
    ['0.7e1', 7],
    ['7E+0', 7],
    ['1e3', 1000],
    ['0.0e999999999', 0],
    ['0e-5', 0],
    [`0.${'0'.repeat(70)}9007199254740993e86`, 2n ** 53n + 1n],
    ['1e79', 10n ** 79n],
    [`-${'9'.repeat(80)}`, 1n - 10n ** 80n],
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740993', 2n ** 53n + 1n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9.223372036854775807e18', 2n ** 63n - 1n],
    ['92233720368547758070.00e-1', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', 2n ** 63n],
  ])('written %s is exact', (literal, value) => expect(readNumber(literal)).toBe(value));

  it('is exact in its plain spelling', () => {
    fc.assert(fc.property(int64, (value) => void expect(BigInt(readNumber(`${value}`))).toBe(value)));
  });

  it('is exact with a point and an exponent anywhere', () => {
    const spelling = fc.record({ value: int64, shift: fc.nat({ max: 18 }), zeros: fc.nat({ max: 100 }) });
    fc.assert(
      fc.property(spelling, ({ value, shift, zeros }) => {
        const digits = (value < 0n ? -value : value).toString().padStart(shift + 1, '0');
        const split = digits.length - shift;
        const mantissa = `${digits.slice(0, split)}.${digits.slice(split)}${'0'.repeat(zeros + 1)}`;
        const literal = `${value < 0n ? '-' : ''}${mantissa}e${shift}`;
        expect(BigInt(readNumber(literal))).toBe(value);
      }),
    );
  });

  it('is exact when a negative exponent removes its zeros', () => {
    fc.assert(
      fc.property(int64, fc.integer({ min: 1, max: 500 }), (value, zeros) => {
        expect(BigInt(readNumber(`${value}${'0'.repeat(zeros)}e-${zeros}`))).toBe(value);
      }),
    );
  });

  it.each(['1e19', '1e79', '1e80', '1e308', '1e309', '1e99999999999999999999', '9'.repeat(99)])(
    'that is too large for 64 bits stays too large: %s',
    (literal) => expect(readNumber(literal) >= 2n ** 63n).toBe(true),
  );
});

describe('a fraction', () => {
  it.each([
    '0.5',
    '-1.5',
    '1e-1',
    '7.0000000000001',
    '7.00000000000000000000000000000001',
    '9007199254740992.5',
    '9223372036854775807.1',
    '123456789012345678901234567890.5',
    '5e-324',
    '1e-324',
    '1e-400',
    '-1e-400',
    '0.1e-99999',
    '1e-99999999999999999999',
    `0.${'0'.repeat(50)}1`,
  ])('is not a whole number: %s', (literal) => expect(isWhole(readNumber(literal))).toBe(false));

  it('is not a whole number, however small its fractional part is', () => {
    fc.assert(
      fc.property(int64, fc.nat({ max: 500 }), fc.integer({ min: 1, max: 9 }), (whole, zeros, digit) => {
        expect(isWhole(readNumber(`${whole}.${'0'.repeat(zeros)}${digit}`))).toBe(false);
      }),
    );
  });

  it('is read as the nearest double', () => {
    const fraction = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !isWhole(value));
    fc.assert(fc.property(fraction, (value) => void expect(readNumber(`${value}`)).toBe(value)));
  });
});

describe('a number as long as a whole body', () => {
  it.each<[string, string, number | bigint]>([
    ['of nines is out of every range', '9'.repeat(100_000), Infinity],
    ['of zeros behind the point is not zero', `0.${'0'.repeat(100_000)}1`, Number.NaN],
    ['of zeros that an exponent removes is 1', `1${'0'.repeat(100_000)}e-100000`, 1],
    ['of a million characters is read exactly', `0.${'0'.repeat(999_998)}`, 0],
    [
      'of more than a million characters does not count as a whole number',
      `0.${'0'.repeat(999_999)}`,
      Number.NaN,
    ],
  ])('%s', (_, literal, value) => {
    expect(readNumber(literal)).toBe(value);
  });
});
