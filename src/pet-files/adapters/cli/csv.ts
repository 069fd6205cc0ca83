/**
 * How a formula begins in spreadsheets (OWASP, CSV Injection), with the full-width characters that some programs treat alike.
 * An apostrophe before it makes it text.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const isDefused = (text: string): boolean => text.startsWith("'") && FORMULA.test(text);

/**
 * A text as a cell, always in quotes (RFC 4180 section 2). For a spreadsheet an apostrophe comes before what could be a formula;
 * before a text that looks so already it always does, because `textOfCell` takes one away.
 */
export function textCell(
  text: string | undefined,
  { spreadsheet = false }: { readonly spreadsheet?: boolean },
): string {
  if (text === undefined) return '';
  const safe = isDefused(text) || (spreadsheet && FORMULA.test(text)) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** The text that `textCell` has written. */
export const textOfCell = (cell: string): string => (isDefused(cell) ? cell.slice(1) : cell);
