// The door of this room: what a module may use.

/** `@Commands(...)` on a module adds its commands to `petstore`. */
export { Commands } from './cli/commands.decorator.js';
/** What a command gets, and the process that it may use. */
export type { CommandContext, Screen, Terminal } from './cli/command-context.js';
/** The failures of a command that has said already what is wrong, and of one that a signal has stopped. */
export { AlreadyReported, StoppedBySignal } from './cli/errors.js';
/** Options that are a time or a rate; refused in a sentence. */
export { readDuration, readRate } from './cli/options.js';
/** Texts for a terminal: without control characters, as a table. */
export { printable, printableLines, tableOf } from './cli/output.js';
/** What the doctor looks at besides: a class among the providers of a module. */
export { DoctorCheck, type Finding, ok, problem, warning } from './doctor/checks.js';
