// The public API of this room.

/** The limits of JSON that clients send. */
export { BODY_LIMITS } from './json-limits.js';
/** Parses JSON. An integer is a number if a number is exact, and a bigint otherwise. */
export { MalformedJson, parseJson } from './parse-json.js';
/** Formats plain objects as JSON. A bigint becomes a number. */
export { writeJson } from './write-json.js';
/** The value of a text that is a number as in JSON. */
export { readNumber } from './json-number.js';
