// The public API of this room.

/** `@Commands(...)` on a module adds its commands to `petstore`. */
export { Commands } from './cli/commands.decorator.js';
/** The argument of a command, and the parts of the process that a command may use. */
export type { CommandContext, Screen, Terminal } from './cli/command-context.js';
/** The errors of a command that has reported already what is wrong, and of a command that a signal has stopped. */
export { AlreadyReported, StoppedBySignal } from './cli/errors.js';
/** Parse options that are a duration or a rate. They reject other texts with a sentence. */
export { readDuration, readRate } from './cli/options.js';
/** A table for a terminal. */
export { tableOf } from './cli/output.js';
/** A check that a module adds to the start and to `petstore doctor`: a class among the providers of the module. */
export { DoctorCheck, type Finding, ok, problem, warning } from './doctor/doctor-check.js';
