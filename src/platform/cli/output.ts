import { pipeline } from 'node:stream/promises';
import Table from 'cli-table3';

/** Writes to standard output as fast as it is read. Who reads may have enough, as `head` does: that is no failure. */
export async function printAll(content: AsyncIterable<string>, stdout: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(content, stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** A text that says nothing to a terminal but itself: control characters, such as those that move its cursor, are replaced. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\ufffd');

/** Lines without frames, so that they can be read, copied and cut. */
export function tableOf(rows: (readonly string[])[]): string {
  const frameless = { 'top-mid': '', 'top-left': '', 'top-right': '', 'bottom-mid': '', 'bottom-left': '' };
  const chars = { ...frameless, top: '', bottom: '', 'bottom-right': '', left: '', 'left-mid': '', mid: '' };
  const lines = new Table({
    chars: { ...chars, 'mid-mid': '', right: '', 'right-mid': '', middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  lines.push(...rows.map((row) => [...row]));
  return lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
