// The public API of this room.

/** The limits of JSON that clients send. */
export { BODY_LIMITS } from './json-limits.js';
/** Parses JSON as `JSON.parse` does, but strictly, and keeps the exact value of each integer that a number does not hold. */
export { MalformedJson, parseJson } from './parse-json.js';
/** Reads the exact value of an integer beside its number; sets a number in the same way. */
export { exactOf, setNumber } from './exact-integers.js';
/** Texts for a terminal, in which invisible characters are replaced, or escaped. */
export { printable, printableLines } from './printable.js';
/** Formats plain objects as JSON. A bigint becomes a number. */
export { writeJson } from './write-json.js';
