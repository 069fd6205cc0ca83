import { isUtf8 } from 'node:buffer';
import type { Problem } from '../../../kernel/domain-error.js';
import { MalformedJson, parseJson } from '../../../platform/json/parse-json.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';
import { printable } from '../../../platform/ops/cli/output.js';
import type { PetLine, RefusedLine } from '../../application/pet-import.js';

/** One line of a file that is not empty; numbers start at 1 and count empty lines. */
export type Line = { readonly number: number; readonly text: string } | RefusedLine;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Refuses a line as a whole. */
export const refusedLine = (number: number, code: Problem['code'], message: string): RefusedLine => ({
  number,
  problems: [{ field: '', code, message }],
});

/** The problems of a line, in one line. */
export const textOf = (problems: readonly Problem[]): string =>
  printable(problems.map(({ field, message }) => `${field} ${message}`.trimStart()).join('; '));

/**
 * Splits a stream of bytes into lines in bounded memory: of a line longer than `longest` bytes nothing is kept. LF and CR LF
 * end a line; a byte order mark at the beginning is skipped. @throws InvalidInputFile with the last line before the part that
 * cannot be read
 */
export async function* linesOf(bytes: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Line[]> {
  /** The beginning of a line whose end has not been read yet. */
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  try {
    for await (const chunk of bytes) {
      const known = Buffer.concat([rest, chunk]);
      const lines: Line[] = [];
      let start = 0;
      for (let end = known.indexOf(LINE_FEED); end !== -1; end = known.indexOf(LINE_FEED, start)) {
        lines.push(...lineOf(++number, known.subarray(start, end), longest));
        start = end + 1;
      }
      // A few bytes above the bound are enough to detect it; a byte order mark and CR do not count.
      rest = known.subarray(start, start + longest + 5);
      yield lines;
    }
  } catch (error) {
    if (!(error instanceof InvalidInputFile)) throw error;
    throw new InvalidInputFile(`${error.message} The last line that could be read is ${number}.`);
  }
  yield lineOf(number + 1, rest, longest);
}

/** None if it is empty. */
function lineOf(number: number, bytes: Buffer, longest: number): Line[] {
  const isMarked = number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const line = bytes.subarray(isMarked ? 3 : 0, bytes.at(-1) === CARRIAGE_RETURN ? -1 : undefined);
  if (line.length === 0) return [];
  if (line.length > longest) return [refusedLine(number, 'too_long', `is longer than ${longest} bytes`)];
  if (!isUtf8(line)) return [refusedLine(number, 'malformed_text', 'is not valid UTF-8')];
  return [{ number, text: line.toString('utf8') }];
}

/** The pets of newline-delimited JSON, an object a line. */
export async function* ndjsonLines(lines: AsyncIterable<Line[]>): AsyncGenerator<PetLine[]> {
  for await (const some of lines) yield some.map((line) => ('problems' in line ? line : ndjsonLine(line)));
}

function ndjsonLine({ number, text }: Exclude<Line, RefusedLine>): PetLine {
  try {
    const data = parseJson(Buffer.from(text));
    if (data !== null && typeof data === 'object' && !Array.isArray(data)) return { number, data };
    return refusedLine(number, 'invalid_type', 'must be a JSON object');
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    return refusedLine(number, 'malformed_text', `is not acceptable JSON: ${error.message}`);
  }
}
