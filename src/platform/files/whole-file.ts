import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { flush } from './flush.js';

/** Writes a file that is there whole or not at all, in the place of one that was there before. */
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
