// The public API of this room.

/** `@Commands(...)` on a module adds its commands to `petstore`. */
export { Commands } from './commands.decorator.js';
/** A check that a module adds to the start and to `petstore doctor`: a class among the providers of the module. */
export { DoctorCheck, type Finding, ok, problem, warning } from './doctor/doctor-check.js';
