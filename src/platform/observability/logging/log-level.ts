import { Logger, type LogLevel as NestLevel } from '@nestjs/common';
import type { LogLevel } from '../../config/settings.js';
import { channel } from '../channel.js';

/** Our levels by Nest's names, the least important first. */
const LEVELS = new Map<NestLevel, LogLevel>([
  ['verbose', 'trace'],
  ['debug', 'debug'],
  ['log', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
  ['fatal', 'fatal'],
]);

/** Nest's names of the levels that are logged at our level. */
function nestLevels(level: LogLevel): NestLevel[] {
  const levels = [...LEVELS.values()];
  return level === 'silent' ? [] : [...LEVELS.keys()].slice(levels.indexOf(level));
}

/** Our level for Nest's names of the levels that are logged. */
export const levelOf = (levels: readonly NestLevel[]): LogLevel =>
  [...LEVELS].find(([name]) => levels.includes(name))?.[1] ?? 'silent';

export const logLevelChanged = channel<LogLevel>('log.level-changed');

/** Makes SIGUSR2 switch the log level of this process to `debug`, and the next SIGUSR2 back to LOG_LEVEL. */
export function switchLevelOnSignal(configured: LogLevel): void {
  const log = new Logger('LogLevel');
  let current = configured;
  const change = (level: LogLevel) => {
    const say = () =>
      log.log(`The log level is ${level}${level === configured ? '' : ' until SIGUSR2 comes again'}`);
    // Logged at the more detailed of the two levels.
    if (level === configured) say();
    current = level;
    Logger.overrideLogger(nestLevels(level));
    if (level !== configured) say();
  };
  process.on('SIGUSR2', () => change(current === configured ? 'debug' : configured));
}
