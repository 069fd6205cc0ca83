import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import Table from 'cli-table3';

/** What nobody sees and what changes how the rest is shown, such as the direction (Unicode TR 36, section 3). */
const UNSEEN = String.raw`(?!\p{VS})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]`;
const EACH_UNSEEN = new RegExp(UNSEEN, 'gu');
const UNSEEN_IN_LINES = new RegExp(String.raw`(?!\n)${UNSEEN}`, 'gu');

/** The text with what is unseen replaced, so that it cannot move the cursor of a terminal, or turn what is beside it. */
export const printable = (text: string): string => text.replaceAll(EACH_UNSEEN, '\ufffd');

/** Lines for a terminal: what is unseen in them is written as JSON would escape it, so that JSON keeps its meaning. */
export const printableLines = (lines: string): string => lines.replaceAll(UNSEEN_IN_LINES, escaped);

const escaped = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** A table without frames, so that it can be copied and cut. */
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

/** Makes a file in one step, which survives a crash: readers find the whole of it or what was there before. */
export async function writeAtomically(
  file: string,
  write: (unfinished: string) => Promise<unknown>,
): Promise<void> {
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await write(unfinished);
    await sync(unfinished);
    await rename(unfinished, file);
    await sync(dirname(file));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Flushes a file, or the list of files of a folder, to the disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
