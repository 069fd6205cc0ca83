/** A signed 64-bit integer, exact: the `integer`/`int64` of OpenAPI 3.1, always a bigint inside this service. */
export type Int64 = bigint;

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const CANONICAL = /^(?:0|-?[1-9]\d{0,18})$/;

export const Int64 = {
  MIN,
  MAX,

  /** Whether `value` lies in -2^63..2^63-1. */
  holds(value: bigint): boolean {
    return value >= MIN && value <= MAX;
  },

  /** Converts to a bigint; undefined and null stay as they are. */
  from<Given extends number | bigint | null | undefined>(
    value: Given,
  ): Int64 | Extract<Given, null | undefined> {
    return value === null || value === undefined
      ? (value as Extract<Given, null | undefined>)
      : BigInt(value);
  },

  /** Parses an int64 in a path or a cursor, which has only one spelling: no sign except `-`, no leading zero, no exponent. */
  parse(text: string): Int64 | undefined {
    if (!CANONICAL.test(text)) return undefined;
    const value = BigInt(text);
    return Int64.holds(value) ? value : undefined;
  },
};
