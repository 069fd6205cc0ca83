import { closeSync, createWriteStream, openSync, writeSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file that lines are added to. Each line is with the operating system when `write` returns. */
export class TextFile {
  readonly #file: number;

  /** `keep`: what the file holds stays; else it is emptied first. */
  constructor(path: string, { keep }: { keep: boolean }) {
    this.#file = openSync(path, keep ? 'a' : 'w');
  }

  write(line: string): void {
    writeSync(this.#file, `${line}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Writes a file in one step: readers find the whole of it or what was there before. */
export async function writeWhole(file: string, content: AsyncIterable<string>): Promise<void> {
  const unfinished = `${file}.${process.pid}.unfinished`;
  try {
    await pipeline(content, createWriteStream(unfinished));
    await flush(unfinished);
    await rename(unfinished, file);
    await flush(dirname(file));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Makes a written file, or a folder's list of files, survive a crash of the machine. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
