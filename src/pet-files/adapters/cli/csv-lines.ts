import type { Problem } from '../../../kernel/domain-error.js';
import { readNumber } from '../../../platform/json/json-number.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';
import type { PetLine } from '../../application/pet-import.js';
import { csvRecords, MalformedCsv, textOfCell } from './csv.js';
import { type Line, problem, textOf } from './lines.js';
import { COLUMNS, PET_COLUMNS } from './pet-text.js';

/** As in JSON (RFC 8259 section 6), so that a number means the same in both. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Finds the problems of a file with these columns. */
type ColumnValidator = (columns: readonly string[]) => readonly Problem[];

/** What the first line has to be, to be told with what is wrong with it. */
function headerHelp(validateColumns: ColumnValidator): string {
  const required = new Set(validateColumns([]).map(({ field }) => field));
  const optional = PET_COLUMNS.filter((column) => !required.has(column)).join(', ');
  const addition = optional && ` (${optional} may be left out)`;
  return `The first line must name the columns: ${PET_COLUMNS.join(',')}${addition}.`;
}

/** The pets of CSV whose first line names the columns. @throws InvalidInputFile if that cannot be used */
export async function* csvLines(
  lines: AsyncIterable<Line[]>,
  validateColumns: ColumnValidator,
): AsyncGenerator<PetLine[]> {
  let columns: readonly string[] | undefined;
  for await (const some of lines) {
    if (some.length === 0) continue;
    const rest = columns ? some : some.slice(1);
    columns ??= readColumns(some[0]!, validateColumns);
    yield readLines(rest, columns);
  }
  if (!columns) throw new InvalidInputFile(`The file is empty. ${headerHelp(validateColumns)}`);
}

function readColumns(line: Line, validateColumns: ColumnValidator): readonly string[] {
  const refuse = (why: string) =>
    new InvalidInputFile(`Line ${line.number}: ${why}. ${headerHelp(validateColumns)}`);
  if ('problems' in line) throw refuse(textOf(line.problems));
  const [columns] = csvRecords([line.text]);
  if (columns instanceof MalformedCsv) throw refuse(columns.message);
  const problems = columns!
    .filter((column, i) => columns!.indexOf(column) < i)
    .map((field): Problem => ({ field, code: 'invalid_type', message: 'is there twice' }));
  problems.push(...validateColumns(columns!));
  if (problems.length > 0) throw refuse(textOf(problems));
  return columns!;
}

function readLines(lines: readonly Line[], columns: readonly string[]): PetLine[] {
  const records = csvRecords(lines.flatMap((line) => ('text' in line ? [line.text] : [])));
  return lines.map((line) => {
    if ('problems' in line) return line;
    const { number } = line;
    const cells = records.shift()!;
    if (cells instanceof MalformedCsv)
      return { number, problems: [problem('malformed_text', cells.message)] };
    if (cells.length === columns.length) return { number, data: dataOf(cells, columns) };
    const message = `has ${cells.length} of the ${columns.length} cells that the first line names`;
    return { number, problems: [problem('invalid_type', message)] };
  });
}

/** CSV has neither absent values nor numbers: an empty cell is an absent field. */
function dataOf(cells: readonly string[], columns: readonly string[]): object {
  const data: Record<string, unknown> = {};
  columns.forEach((column, i) => {
    const cell = cells[i]!;
    if (cell === '') return;
    const isNumber = COLUMNS[column as keyof typeof COLUMNS] === 'integer' && NUMBER.test(cell);
    data[column] = isNumber ? readNumber(cell) : textOfCell(cell);
  });
  return data;
}
