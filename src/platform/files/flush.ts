import { open } from 'node:fs/promises';

/** Makes what was written, or a folder's list of files, survive a crash of the machine. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
