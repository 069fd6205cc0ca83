import cluster from 'node:cluster';
import type { LoggerService, LogLevel as NestLevel } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Screen } from '../../cli/command-context.js';
import type { LogLevel } from '../../config/settings.js';
import { levelOf, logLevelChanged } from './log-level.js';

/** Where Nest logs how it assembles the application: of no interest to operators. An error is thrown, too, and said by who catches it. */
const ASSEMBLY_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Nest's logger on pino: JSON lines, or colours on a terminal. */
export class PinoLog implements LoggerService {
  readonly #pino: Logger;

  constructor(level: LogLevel, stderr: Screen) {
    const { fd, isTTY } = stderr;
    // Synchronous, because the process may be about to end.
    const destination = fd === undefined ? stderr : pino.destination({ fd, sync: true });
    const stream = isTTY ? pretty({ destination, sync: true, singleLine: true }) : destination;
    // Of several processes the log names the one that writes.
    const base = cluster.isWorker ? { pid: process.pid } : undefined;
    this.#pino = pino({ level, base }, stream);
  }

  log = (message: unknown, ...rest: unknown[]) => this.#write('info', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.#write('warn', message, rest);
  error = (message: unknown, ...rest: unknown[]) => this.#write('error', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.#write('fatal', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.#write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.#write('trace', message, rest);

  /** Called by `app.useLogger` and `Logger.overrideLogger` with levels. */
  setLogLevels(levels: NestLevel[]): void {
    const level = levelOf(levels);
    this.#pino.level = level;
    logLevelChanged.publish(level);
  }

  /** Nest's convention: the last argument is the context. */
  #write(level: Exclude<LogLevel, 'silent'>, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const isAssembly = level !== 'warn' && ASSEMBLY_CONTEXTS.has(String(context));
    const actual = isAssembly ? 'debug' : level;
    const fields = typeof rest[0] === 'object' ? rest[0] : {};
    if (message instanceof Error) this.#pino[actual]({ context, ...fields, err: message }, message.message);
    else this.#pino[actual]({ context, ...fields }, String(message));
  }
}
