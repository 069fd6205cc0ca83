import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any code point except surrogates, as fast-check's unit `binary`, which first builds a table of them all: 0.7 s per process. */
const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count));

export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}) =>
  fc.string({ ...constraints, unit: codePoint });
