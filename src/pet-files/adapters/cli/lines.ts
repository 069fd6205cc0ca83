import { isUtf8 } from 'node:buffer';
import type { Problem } from '../../../kernel/domain-error.js';
import { MalformedJson, parseJson } from '../../../platform/json/parse-json.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';
import { printable } from '../../../platform/ops/cli/output.js';
import type { PetLine } from '../../application/pet-import.js';

/** One line of a file that is not empty; numbers start at 1 and count empty lines. */
export type Line = { readonly number: number } & (
  { readonly text: string } | { readonly problems: readonly Problem[] }
);

const NO_BYTES = Buffer.alloc(0);
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The problem of a line as a whole. */
export const problem = (code: Problem['code'], message: string): Problem => ({ field: '', code, message });

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
  let rest: Buffer = NO_BYTES;
  let number = 0;
  const lineTo = (end: Buffer): Line[] => {
    const line = rest.length === 0 ? end : Buffer.concat([rest, end]);
    rest = NO_BYTES;
    return lineOf(++number, line, longest);
  };
  try {
    for await (const chunk of bytes) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        lines.push(...lineTo(chunk.subarray(start, end)));
        start = end + 1;
      }
      // A few bytes above the bound are enough to detect it; a byte order mark and CR do not count.
      rest = Buffer.concat([rest, chunk.subarray(start)]).subarray(0, longest + 5);
      yield lines;
    }
  } catch (error) {
    if (!(error instanceof InvalidInputFile)) throw error;
    throw new InvalidInputFile(`${error.message} The last line that could be read is ${number}.`);
  }
  if (rest.length > 0) yield lineTo(NO_BYTES);
}

/** None if it is empty. */
function lineOf(number: number, bytes: Buffer, longest: number): Line[] {
  const end = bytes.at(-1) === CARRIAGE_RETURN ? -1 : undefined;
  const isMarked = number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const line = bytes.subarray(isMarked ? 3 : 0, end);
  if (line.length === 0) return [];
  const refused = (...why: Parameters<typeof problem>) => [{ number, problems: [problem(...why)] }];
  if (line.length > longest) return refused('too_long', `is longer than ${longest} bytes`);
  if (!isUtf8(line)) return refused('malformed_text', 'is not valid UTF-8');
  return [{ number, text: line.toString('utf8') }];
}

/** The pets of newline-delimited JSON, an object a line. */
export async function* ndjsonLines(lines: AsyncIterable<Line[]>): AsyncGenerator<PetLine[]> {
  for await (const some of lines)
    yield some.map((line) => {
      if ('problems' in line) return line;
      const { number } = line;
      try {
        const data = parseJson(Buffer.from(line.text));
        if (data !== null && typeof data === 'object' && !Array.isArray(data)) return { number, data };
        return { number, problems: [problem('invalid_type', 'must be a JSON object')] };
      } catch (error) {
        if (!(error instanceof MalformedJson)) throw error;
        const message = `is not acceptable JSON: ${error.message}`;
        return { number, problems: [problem('malformed_text', message)] };
      }
    });
}
