/**
 * A signal has ended a command, which has to report what it has done. As in shells, the exit code is 128 plus the number of the
 * signal.
 */
export class StoppedBySignal extends Error {
  constructor(
    readonly signal: NodeJS.Signals,
    whatNow: string,
  ) {
    super(`Stopped by ${signal}: ${whatNow}`);
  }
}

/** A command has failed and has reported it already. */
export class AlreadyReported extends Error {}
