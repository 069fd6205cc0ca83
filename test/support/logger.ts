import { Logger, type LoggerService } from '@nestjs/common';

/** The logger that tests set; Nest has one for all applications of a process. */
let wanted: LoggerService | false = false;

export function logTo(logger: LoggerService | false): void {
  wanted = logger;
  Logger.overrideLogger(logger);
}

/** Restores the logger of the tests after an application has set its own. */
export const logAsBefore = (): void => Logger.overrideLogger(wanted);
