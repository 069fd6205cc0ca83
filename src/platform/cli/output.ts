import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import Table from 'cli-table3';

/** The text with its control characters replaced, so that it cannot move the cursor of a terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\ufffd');

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
