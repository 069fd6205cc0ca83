/**
 * How a formula begins in spreadsheets (OWASP, CSV Injection), with the full-width characters that some programs treat alike.
 * An apostrophe before it makes it text.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A text for a spreadsheet: prefixed with an apostrophe if it could be a formula, or is one that is prefixed already. */
export const defuse = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Whether a text looks as if it came from `defuse`. */
export const isDefused = (text: string): boolean => text.startsWith("'") && FORMULA.test(text);

/** Undoes `defuse`. */
export const arm = (text: string): string => (isDefused(text) ? text.slice(1) : text);
