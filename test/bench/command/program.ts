import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../../support/processes/local-program.js';

/**
 * Runs a program of the benchmark in a temporary folder, with a signal that Ctrl-C aborts, and waits for its clean-up. The
 * program ends with the exit code 1 unless `work` returns true.
 */
export async function runProgram(
  work: (folder: string, signal: AbortSignal) => Promise<boolean>,
): Promise<void> {
  const interruption = new AbortController();
  // The handlers stay installed to the end, so that a second Ctrl-C does not interrupt the clean-up.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interruption.abort());
  try {
    if (!programPath('wrk')) throw new Error('wrk makes the load, and is not installed: apt-get install wrk');
    process.exitCode = (await inWorkspace((folder) => work(folder, interruption.signal))) ? 0 : 1;
  } catch (error) {
    const isInterrupted = interruption.signal.aborted;
    const reason = error instanceof Error ? error.message : String(error);
    const words = isInterrupted ? 'Interrupted; everything that was started is stopped.' : reason;
    process.stderr.write(`\n${words}\n`);
    process.exitCode = isInterrupted ? 130 : 1;
  }
}

/** The folder is removed even on failure, with all temporary files of this process in it. */
async function inWorkspace<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
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
