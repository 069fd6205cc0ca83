import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder that is gone after `work`, however that ends, with all that anybody here calls temporary. */
export async function inWorkspace<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-bench-'));
  const { TMPDIR } = process.env;
  // `tmpdir()` reads it: what MariaDB leaves behind when it is interrupted while it starts goes with the folder.
  process.env['TMPDIR'] = folder;
  try {
    return await work(folder);
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    await rm(folder, { recursive: true, force: true });
  }
}
