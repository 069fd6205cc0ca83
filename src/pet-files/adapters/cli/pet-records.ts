import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import type { Problem } from '../../../kernel/index.js';
import { BODY_LIMITS, MalformedJson, parseJson, printable, setNumber } from '../../../platform/json/index.js';
import type { PetRecord } from '../../application/pet-import.js';
import { COLUMN_KINDS, type Format, PET_COLUMNS, textOfCell } from './pet-text.js';

const CSV: Options = {
  // Each byte becomes one character, so that bytes that are not UTF-8 can be reported with their record.
  encoding: 'latin1',
  // A valid pet needs at most 4,000 bytes, if each character of its name is escaped.
  max_record_size: 65_536,
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  skip_empty_lines: true,
};
/** A line is a record with one cell. */
const NDJSON: Options = { ...CSV, quote: null, escape: null, delimiter: '\n' };

/** How csv-parse reads each format, and the rule that an input has broken if it cannot be read. */
const FORMS: Readonly<Record<Format, { readonly options: Options; readonly rule: string }>> = {
  csv: { options: CSV, rule: 'A cell with a quote in it stands in quotes, and has that one twice.' },
  ndjson: { options: NDJSON, rule: 'A line has one JSON object, and ends with a line feed.' },
};

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/**
 * Numbers have the form of JSON (RFC 8259 section 6), so that they mean the same in both formats. An exponent is rejected,
 * because spreadsheets that write one have lost digits.
 */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The input cannot be read, as a whole or from some line on. The message contains the reason. */
class UnreadableInput extends Error {
  readonly code = 'input_refused';
}

/**
 * Reads pets from CSV (RFC 4180) whose first line names the columns, or from NDJSON with one object a line. It reads in one pass,
 * in bounded memory. @throws UnreadableInput, and an AbortError if `stop` is aborted
 */
export async function* petRecords(
  input: AsyncIterable<Buffer>,
  format: Format,
  stop?: AbortSignal,
): AsyncGenerator<PetRecord> {
  const { options, rule } = FORMS[format];
  const parser = parse(options);
  // The loop that reads the rows gets the error.
  pipeline(input, withoutMark, parser, { signal: stop }).catch(() => {});
  const rows = parser[Symbol.asyncIterator]() as AsyncIterableIterator<readonly string[]>;
  try {
    const columns = format === 'csv' ? columnsOf((await rows.next()).value ?? []) : undefined;
    for await (const cells of rows) {
      const record = columns ? readCells(cells, columns) : readJson(cells[0]!);
      yield { ...record, text: JSON.stringify([columns, cells]) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableInput(`${printable(error.message)}. ${rule}`);
  }
}

/** Drops a byte order mark at the beginning, which may arrive in several chunks. csv-parse can drop it too, but changes the encoding then. */
async function* withoutMark(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begin: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of input) {
    if (begin === undefined) {
      yield chunk;
      continue;
    }
    begin = Buffer.concat([begin, chunk]);
    if (begin.length < BYTE_ORDER_MARK.length) continue;
    const isMarked = BYTE_ORDER_MARK.equals(begin.subarray(0, BYTE_ORDER_MARK.length));
    yield isMarked ? begin.subarray(BYTE_ORDER_MARK.length) : begin;
    begin = undefined;
  }
  // The input is shorter than the mark.
  if (begin !== undefined) yield begin;
}

function columnsOf(cells: readonly string[]): readonly string[] {
  const known = PET_COLUMNS as readonly string[];
  if (cells.length > 0 && cells.every((name, i) => known.includes(name) && cells.indexOf(name) === i))
    return cells;
  throw new UnreadableInput(
    `The first line must name, in UTF-8, columns of these, each once: ${known.join(',')}.`,
  );
}

const refused = (code: Problem['code'], message: string) => ({ problems: [{ field: '', code, message }] });

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** CSV has neither absent values nor numbers: an empty cell is an absent field. */
function readCells(cells: readonly string[], columns: readonly string[]): PetRecord {
  if (!isUtf8(bytesOf(cells.join('')))) return refused('malformed_text', 'is not valid UTF-8');
  if (cells.length !== columns.length)
    return refused('invalid_type', `has ${cells.length} cells where the first line names ${columns.length}`);
  const data: Record<string, unknown> = {};
  for (const [i, column] of columns.entries()) {
    const cell = bytesOf(cells[i]!).toString('utf8');
    const kind = COLUMN_KINDS[column as keyof typeof COLUMN_KINDS];
    if (cell === '') continue;
    if (kind === 'text') data[column] = textOfCell(cell);
    else if (kind === 'integer' && NUMBER.test(cell)) setNumber(data, column, cell);
    else data[column] = cell;
  }
  return { data };
}

function readJson(line: string): PetRecord {
  try {
    const data = parseJson(bytesOf(line), BODY_LIMITS);
    if (data !== null && typeof data === 'object' && !Array.isArray(data)) return { data };
    return refused('invalid_type', 'must be a JSON object');
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    return refused('malformed_text', `is not acceptable JSON: ${error.message}`);
  }
}
