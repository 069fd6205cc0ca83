import { Logger, type LoggerService } from '@nestjs/common';

/** The logger that tests set: Nest has one for all applications of a process. */
let wanted: LoggerService | false = false;

/** Lets the services of this process log there, or not at all. */
export function logTo(logger: LoggerService | false): void {
  wanted = logger;
  Logger.overrideLogger(logger);
}

/** Restores it after an application has set its own. */
export const logAsBefore = (): void => Logger.overrideLogger(wanted);
