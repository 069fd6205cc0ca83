import cluster, { type Worker } from 'node:cluster';
import { Logger, type LogLevel as NestLevel } from '@nestjs/common';
import type { LogLevel } from '../../config/settings.js';
import { channel } from '../channel.js';

/** Our levels, from the least important on, by the names that Nest has for them. */
const LEVELS = new Map<NestLevel, LogLevel>([
  ['verbose', 'trace'],
  ['debug', 'debug'],
  ['log', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
  ['fatal', 'fatal'],
]);

/** What Nest calls the levels that are logged at a level of ours. */
function nestLevels(level: LogLevel): NestLevel[] {
  const levels = [...LEVELS.values()];
  return level === 'silent' ? [] : [...LEVELS.keys()].slice(levels.indexOf(level));
}

/** The level of ours at which these of Nest are logged. */
export const levelOf = (levels: readonly NestLevel[]): LogLevel =>
  [...LEVELS].find(([name]) => levels.includes(name))?.[1] ?? 'silent';

export const logLevelChanged = channel<LogLevel>('log.level-changed');

/**
 * From now on SIGUSR2 switches the log of this process to `debug`, and the next one back to LOG_LEVEL. A supervisor tells its
 * workers, also those that it starts later.
 */
export function switchLevelOnSignal(configured: LogLevel): void {
  const log = new Logger('LogLevel');
  let current = configured;
  const change = (level: LogLevel) => {
    const say = () =>
      log.log(`The log level is ${level}${level === configured ? '' : ' until SIGUSR2 comes again'}`);
    // Said at the level that shows more.
    if (level === configured) say();
    current = level;
    Logger.overrideLogger(nestLevels(level));
    if (level !== configured) say();
  };
  if (cluster.isWorker) {
    // What is sent to all processes of a service reaches workers, too; only the supervisor heeds it.
    process.on('SIGUSR2', () => {});
    process.on('message', ({ logLevel = current }: LevelMessage) => logLevel !== current && change(logLevel));
    return;
  }
  const tell = (worker: Worker) => worker.isConnected() && worker.send({ logLevel: current });
  process.on('SIGUSR2', () => {
    change(current === configured ? 'debug' : configured);
    for (const worker of Object.values(cluster.workers ?? {})) tell(worker!);
  });
  // One that was not yet there, or could not yet hear.
  cluster.on('listening', (worker) => tell(worker));
}

/** From a supervisor to a worker; those of others have no such field. */
interface LevelMessage {
  readonly logLevel?: LogLevel;
}
