/** Runs `work` with a signal that Ctrl-C aborts, and waits for its clean-up. @returns the exit code */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<boolean>): Promise<number> {
  const interruption = new AbortController();
  // The handlers stay installed to the end, so that a second Ctrl-C does not interrupt the clean-up.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interruption.abort());
  try {
    return (await work(interruption.signal)) ? 0 : 1;
  } catch (error) {
    if (interruption.signal.aborted) {
      process.stderr.write('\nInterrupted; everything that was started is stopped.\n');
      return 130;
    }
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
