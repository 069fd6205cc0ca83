/**
 * How a formula begins in spreadsheets (OWASP, CSV Injection), with the full-width characters that some programs treat alike.
 * An apostrophe before it makes it text.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A name for a spreadsheet: prefixed with an apostrophe if it could be a formula, or is one that is prefixed already. */
export const defuse = (name: string): string => (FORMULA.test(name) ? `'${name}` : name);

/** Whether a name looks as if it came from `defuse`. */
export const isDefused = (name: string): boolean => name.startsWith("'") && FORMULA.test(name);

/** Undoes `defuse`. */
export const arm = (name: string): string => (isDefused(name) ? name.slice(1) : name);
