import type { Problem } from '../../../kernel/domain-error.js';
import { readNumber } from '../../../platform/json/json-number.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';
import type { PetLine } from '../../application/pet-import.js';
import { csvRecords, separatorOf, textOfCell } from './csv.js';
import { type Line, refusedLine, textOf } from './lines.js';
import { COLUMNS, PET_COLUMNS } from './pet-text.js';

/** As in JSON (RFC 8259 section 6), so that a number means the same in both, but without an exponent. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const EXPONENT = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const EXPONENT_HELP =
  'has an exponent, with which spreadsheets lose digits; format the column as text, or as a number without decimals';

/** Finds the problems of a file with these columns. */
type ColumnValidator = (columns: readonly string[]) => Promise<readonly Problem[]>;

type Header = { readonly columns: readonly string[]; readonly separator: string };

/** The pets of CSV whose first line names the columns. @throws InvalidInputFile if that cannot be used */
export async function* csvLines(
  lines: AsyncIterable<Line[]>,
  validateColumns: ColumnValidator,
): AsyncGenerator<PetLine[]> {
  let header: Header | undefined;
  for await (const some of lines) {
    const rest = header ? some : some.slice(1);
    if (some.length > 0) yield readLines(rest, (header ??= await readHeader(some[0]!, validateColumns)));
  }
  if (!header) throw new InvalidInputFile(`The file is empty. ${await headerHelp(validateColumns)}`);
}

/** What the first line has to be, to be told with what is wrong with it. */
async function headerHelp(validateColumns: ColumnValidator): Promise<string> {
  const required = new Set((await validateColumns([])).map(({ field }) => field));
  const optional = PET_COLUMNS.filter((column) => !required.has(column)).join(', ');
  const addition = optional && ` (${optional} may be left out)`;
  return `The first line must name, in UTF-8, the columns: ${PET_COLUMNS.join(',')}${addition}.`;
}

/** Blanks around names do not count, nor does what spreadsheets write of empty columns at the end. */
async function readHeader(line: Line, validateColumns: ColumnValidator): Promise<Header> {
  const help = await headerHelp(validateColumns);
  const refuse = (why: string) => new InvalidInputFile(`Line ${line.number}: ${why}. ${help}`);
  if ('problems' in line) throw refuse(textOf(line.problems));
  const separator = separatorOf(line.text);
  const [cells] = csvRecords([line.text], separator);
  if (typeof cells === 'string') throw refuse(cells);
  const names = cells!.map((cell) => cell.trim());
  const columns = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  if (columns.includes('')) throw refuse('a column before the last one has no name');
  const problems = columns
    .filter((column, i) => columns.indexOf(column) < i)
    .map((field): Problem => ({ field, code: 'invalid_type', message: 'is there twice' }));
  problems.push(...(await validateColumns(columns)));
  if (problems.length > 0) throw refuse(textOf(problems));
  return { columns, separator };
}

function readLines(lines: readonly Line[], { columns, separator }: Header): PetLine[] {
  const records = csvRecords(
    lines.flatMap((line) => ('text' in line ? line.text : [])),
    separator,
  );
  return lines.map((line) => {
    if ('problems' in line) return line;
    const { number } = line;
    const cells = records.shift()!;
    if (typeof cells === 'string') return refusedLine(number, 'malformed_text', cells);
    const hasMore = cells.slice(columns.length).some((cell) => cell !== '');
    if (cells.length >= columns.length && !hasMore) return { number, ...read(cells, columns) };
    const message = `has ${cells.length} of the ${columns.length} cells that the first line names`;
    return refusedLine(number, 'invalid_type', message);
  });
}

/** CSV has neither absent values nor numbers: an empty cell is an absent field. Blanks count in texts only. */
function read(cells: readonly string[], columns: readonly string[]) {
  const data: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [i, column] of columns.entries()) {
    const kind = (COLUMNS as Partial<Record<string, string>>)[column] ?? 'text';
    const cell = kind === 'text' ? textOfCell(cells[i]!) : cells[i]!.trim();
    if (cell === '') continue;
    data[column] = kind === 'integer' && NUMBER.test(cell) ? readNumber(cell) : cell;
    if (kind === 'integer' && EXPONENT.test(cell))
      problems.push({ field: column, code: 'invalid_format', message: EXPONENT_HELP });
  }
  return { data, problems };
}
