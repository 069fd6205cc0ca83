// The public API of this room, for the files of commands. The service does not load it.

/** The argument of a command, and the parts of the process that a command may use. */
export type { CommandContext, Screen, Terminal } from './command-context.js';
/** The errors of a command that has reported already what is wrong, and of a command that a signal has stopped. */
export { AlreadyReported, StoppedBySignal } from './errors.js';
/** Parse options that are a duration or a rate. They reject other texts with a sentence. */
export { readDuration, readRate } from './options.js';
/** A table for a terminal. */
export { tableOf } from './output.js';
