// The door of this room: what a module may use.

/** The limits of JSON that clients send. */
export { BODY_LIMITS } from './json-limits.js';
/** JSON whose integers are exact: number or bigint, whichever holds them. */
export { MalformedJson, parseJson } from './parse-json.js';
/** JSON of plain objects, in which a bigint is a number. */
export { writeJson } from './write-json.js';
/** The number that a text is, as JSON writes it. */
export { readNumber } from './json-number.js';
