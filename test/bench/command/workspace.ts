import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder that is removed after `work`, even on failure, with all temporary files of this process in it. */
export async function inWorkspace<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  const { TMPDIR } = process.env;
  // `tmpdir()` reads TMPDIR: files that an interrupted MariaDB start leaves behind are removed with the folder.
  process.env['TMPDIR'] = folder;
  try {
    return await work(folder);
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    await rm(folder, { recursive: true, force: true });
  }
}
