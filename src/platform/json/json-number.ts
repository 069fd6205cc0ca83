const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Fifteen digits always fit in a double. */
const USUAL = /^-?\d{1,15}$/;
/** Far more digits than any integer type has. A longer literal must not consume memory. */
const MAX_DIGITS = 80;
/**
 * Longer literals are not matched with a pattern. No integer is this long, and millions of digits can exhaust the stack of a
 * regular expression, which would be a 500.
 */
const MAX_LENGTH = 1_000_000;

/**
 * The value of a JSON number. A whole number is exact in any spelling (`7`, `7.0`, `70e-1`): it is a number if a number is exact,
 * and a bigint otherwise. A fraction is the nearest double. If that double is a whole number, the result is NaN, so that a
 * fraction is never read as an integer.
 */
export function readNumber(literal: string): number | bigint {
  const nearest = Number(literal);
  if (USUAL.test(literal)) return nearest;
  if (literal.length > MAX_LENGTH) return Number.isInteger(nearest) ? Number.NaN : nearest;

  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  if (digits === '0') return 0;
  const zeros = digits.length - lengthWithoutZeros(digits);
  const shift = Number(exponent) - fraction.length;
  if (shift < -zeros) return Number.isInteger(nearest) ? Number.NaN : nearest;
  if (digits.length + shift > MAX_DIGITS) return nearest;

  return narrowed(BigInt(sign + (shift < 0 ? digits.slice(0, shift) : digits + '0'.repeat(shift))));
}

/** A number if a number is exact, and the bigint otherwise. */
export const narrowed = (exact: bigint): number | bigint =>
  Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;

/** This is a loop, because a pattern for trailing zeros would take quadratic time on a malicious literal. */
function lengthWithoutZeros(digits: string): number {
  let length = digits.length;
  while (digits.charCodeAt(length - 1) === 48) length -= 1;
  return length;
}
