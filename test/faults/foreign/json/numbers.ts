import { cases, type JsonCase, jsonCase, numbered, withMember } from './json-case.js';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** Larger than any integer type; larger exponents would only take time. */
const BEYOND = 10n ** 400n;

/** The value of a JSON number in exact decimal arithmetic, or undefined if it is not an integer. */
export function exactInteger(literal: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal)!;
  let value = BigInt(whole + fraction);
  let shift = Number(exponent) - fraction.length;
  if (value === 0n) return 0n;
  for (; shift < 0; shift += 1) {
    if (value % 10n !== 0n) return undefined;
    value /= 10n;
  }
  value = shift > 400 ? BEYOND : value * 10n ** BigInt(shift);
  return sign === '-' ? -value : value;
}

const WHOLE = ['0', '7', '120', '9007199254740991', '9007199254740993'];
const LARGE = ['9223372036854775807', '9223372036854775808', '9223372036854775809', '18446744073709551617'];
const FRACTIONS = ['', '.0', '.50', '.000000000000000000001'];
const EXPONENTS = ['', 'e0', 'E+1', 'e-1', 'E-02', 'e18', 'e400', 'e-400'];

/** Every spelling that RFC 8259 section 6 allows, from these parts. */
const literals = ['', '-'].flatMap((sign) =>
  [...WHOLE, ...LARGE].flatMap((whole) =>
    FRACTIONS.flatMap((fraction) => EXPONENTS.map((exponent) => sign + whole + fraction + exponent)),
  ),
);

function outcomeOf(literal: string): JsonCase['outcome'] {
  const value = exactInteger(literal);
  return value !== undefined && value >= MIN && value <= MAX ? 'stored' : 'validation_failed';
}

// prettier-ignore
const MALFORMED = [
  '01', '00', '-01', '-00', '0123', '-0123', '007', '01.5', '00e1', '+1', '++1', '--1', '-+1', '+-1', '-',
  '+', '- 1', '1-', '1+', '1+2', '1/2', '1-2', '2-', '.5', '-.5', '5.', '-5.', '.', '-.', '1..2', '1.2.3',
  '1.e1', '.e1', '0.e', '1. 5', '1 .5', '1e', '1E', '1e+', '1e-', '1E+', '0e', 'e1', '1ee1', '1eE1', '1e1e1',
  '1e1.5', '1e.5', '1e+-1', '1 e1', '1e 1', '0x10', '0X1F', '0xg', '0b1', '0o7', '#10', '1_000', '1,000',
  "1'000", '1 000', '1.000,5', '1n', '1L', '1f', '1d', '1u', '1i', '1px', '1a', '0a', '-1x', '1%', '$1',
  '1$', '(1)', '1;', '1\0', 'NaN', 'nan', '-NaN', 'Infinity', '-Infinity', '+Infinity', 'Inf', '-inf', '1/0',
  '1.#INF', '∞', '１', '٣', '१', '−1', '1٫5', '1，5', '1\xA0', '​1', '1​', '¹', '½', 'Ⅳ', '1́',
];

/** JSON numbers, and number formats of other languages. */
export const NUMBERS: readonly JsonCase[] = [
  ...literals.map((literal) => jsonCase('numbers: spellings', numbered(literal), outcomeOf(literal))),
  ...cases('numbers: malformed', 'invalid_json', MALFORMED.map(numbered)),
  ...cases(
    'numbers: malformed',
    'invalid_json',
    MALFORMED.map((text) => withMember(`[${text}]`)).slice(0, 20),
  ),
  // prettier-ignore
  ...cases('numbers: malformed at the top', 'invalid_json', [
    '-', '01', '1.', '.1', '1e', '+1', '0x1', '1 2',
  ]),
  ...cases('numbers: monstrous', 'validation_failed', [
    numbered('9'.repeat(90_000)),
    numbered(`-${'9'.repeat(90_000)}`),
    numbered(`0.${'0'.repeat(90_000)}1`),
    numbered(`1${'0'.repeat(90_000)}.5`),
    numbered(`1e${'9'.repeat(90_000)}`),
    numbered(`1e-${'9'.repeat(90_000)}`),
    numbered('1e2147483648'),
    numbered('1e-9223372036854775809'),
    numbered('1.7976931348623157e308'),
    numbered('1.7976931348623159e308'),
    numbered('5e-324'),
    numbered('2e-324'),
  ]),
  ...cases('numbers: long and good', 'stored', [
    numbered(`1.${'0'.repeat(90_000)}`),
    numbered(`0e${'9'.repeat(90_000)}`),
    numbered(`7${'0'.repeat(1_000)}e-1000`),
    numbered(`0.${'0'.repeat(1_000)}7e1001`),
    numbered(`0.${'0'.repeat(90_000)}`),
  ]),
  // prettier-ignore
  ...cases('numbers: where text is wanted', 'validation_failed', [
    '{"name":1,"categoryId":1}', '{"name":-0,"categoryId":1}', '{"name":1e999,"categoryId":1}',
    '{"name":"x","categoryId":"1"}', '{"name":"x","categoryId":true}', '{"name":"x","categoryId":[1]}',
    '{"name":"x","categoryId":1,"status":0}',
  ]),
];
