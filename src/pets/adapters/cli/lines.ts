import { isUtf8 } from 'node:buffer';
import type { Problem } from '../../../kernel/domain-error.js';
import { InvalidInputFile } from '../../../platform/ops/cli/errors.js';

/** One line of a file that is not empty; numbers start at 1 and count empty lines. Without `text` it cannot be read. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly fault: 'too_long' | 'no_utf8' };

type UnreadableLine = Extract<Line, { fault: unknown }>;

/** The maximum length of a line: a valid pet needs at most 4,000 bytes, with each character of its name escaped. */
export const MAX_LINE_BYTES = 65_536;

const FAULTS: Record<UnreadableLine['fault'], Problem> = {
  too_long: { field: '', code: 'too_long', message: `is longer than ${MAX_LINE_BYTES} bytes` },
  no_utf8: { field: '', code: 'malformed_text', message: 'is not valid UTF-8' },
};

/** The problem of a line that cannot be read. */
export const unreadable = ({ fault }: UnreadableLine): Problem[] => [FAULTS[fault]];

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Splits a stream of bytes into lines in bounded memory: of a line longer than `longest` bytes nothing is kept. LF and CR LF
 * end a line; a byte order mark at the beginning is skipped. @throws InvalidInputFile with the last line before the part that
 * cannot be read
 */
export async function* linesOf(bytes: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Line[]> {
  const cutter = new LineCutter(longest);
  try {
    for await (const chunk of bytes) yield cutter.cut(chunk);
  } catch (error) {
    if (!(error instanceof InvalidInputFile)) throw error;
    throw new InvalidInputFile(`${error.message} The last line that could be read is ${cutter.number}.`);
  }
  yield cutter.end();
}

class LineCutter {
  /** The beginning of a line whose end has not been read yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** The number of the last complete line. */
  number = 0;

  constructor(private readonly longest: number) {}

  cut(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#take(chunk.subarray(start, end), lines);
      start = end + 1;
    }
    // A few bytes above the bound are enough to detect it; a byte order mark and CR do not count.
    this.#rest = Buffer.concat([this.#rest, chunk.subarray(start)]).subarray(0, this.longest + 5);
    return lines;
  }

  end(): Line[] {
    const lines: Line[] = [];
    if (this.#rest.length > 0) this.#take(Buffer.alloc(0), lines);
    return lines;
  }

  #take(end: Buffer, lines: Line[]): void {
    let line = this.#rest.length === 0 ? end : Buffer.concat([this.#rest, end]);
    this.#rest = Buffer.alloc(0);
    this.number += 1;
    const { number } = this;
    if (line.at(-1) === CARRIAGE_RETURN) line = line.subarray(0, -1);
    if (number === 1 && line.subarray(0, 3).equals(BYTE_ORDER_MARK)) line = line.subarray(3);
    if (line.length === 0) return;
    if (line.length > this.longest) lines.push({ number, fault: 'too_long' });
    else if (!isUtf8(line)) lines.push({ number, fault: 'no_utf8' });
    else lines.push({ number, text: line.toString('utf8') });
  }
}
