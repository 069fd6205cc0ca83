import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';

/** What stands between cells: with a comma in their numbers, spreadsheets write semicolons. No column's name has one of these. */
export const separatorOf = (header: string): string =>
  [';', '\t'].find((separator) => header.includes(separator)) ?? ',';

/**
 * Parses each line (RFC 4180) as one record, or says what is wrong with it. A quoted cell that continues on the next line is
 * rejected, so that a stray quote spoils its own line only and not all that follow.
 */
export function csvRecords(lines: readonly string[], separator = ','): (readonly string[] | string)[] {
  const together = attempt(lines.join('\n'), separator);
  // Quotes can join two lines to one record, but never split one line into two.
  if (typeof together !== 'string' && together.length === lines.length) return together;
  return lines.map((line) => {
    const alone = attempt(line, separator);
    return typeof alone === 'string' ? alone : alone[0]!;
  });
}

function attempt(text: string, delimiter: string): string[][] | string {
  try {
    return parse(text, { delimiter, record_delimiter: '\n', relax_column_count: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return MEANINGS[error.code] ?? 'is no CSV';
  }
}

const MEANINGS: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quoted cell that does not end in this line',
  CSV_INVALID_CLOSING_QUOTE: 'has text after the end of a quoted cell; write a quote inside it twice',
  INVALID_OPENING_QUOTE:
    'has a quote in the middle of a cell; put the whole cell in quotes and write that one twice',
};

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
