import { pipeline } from 'node:stream/promises';

/** Writes to standard output as fast as it is read. Who reads may have enough, as `head` does: that is no failure. */
export async function printAll(content: AsyncIterable<string>, stdout: NodeJS.WritableStream): Promise<void> {
  try {
    await pipeline(content, stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
