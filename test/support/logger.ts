import { Logger, type LoggerService } from '@nestjs/common';

/** Nest has one logger for all applications of a process. This is the one that tests want. */
let wanted: LoggerService | false = false;

/** From now on the services of this process log there, or nowhere. */
export function logTo(logger: LoggerService | false): void {
  wanted = logger;
  Logger.overrideLogger(logger);
}

/** Takes the logger back from an application that brought its own. */
export const logAsBefore = (): void => Logger.overrideLogger(wanted);
