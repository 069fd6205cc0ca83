/**
 * What spreadsheets take for the beginning of a formula (OWASP, CSV Injection), the full-width forms among them: programs
 * that fold widths take these for the same. Apostrophes before it make it a text.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A name for a spreadsheet: with an apostrophe if it could be a formula, or is one that has an apostrophe already. */
export const defuse = (name: string): string => (FORMULA.test(name) ? `'${name}` : name);

/** Whether a name looks as if it came from `defuse`. */
export const isDefused = (name: string): boolean => name.startsWith("'") && FORMULA.test(name);

/** Undoes `defuse`. */
export const arm = (name: string): string => (isDefused(name) ? name.slice(1) : name);
