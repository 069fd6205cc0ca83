import { createRequire } from 'node:module';
import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import type { LogLevel } from '../../config/settings.js';
import { printableLines } from '../../json/printable.js';
import { channel } from '../channel.js';
import { logEntry } from './log-entry.js';
import { withoutSecrets } from './secrets.js';

export const logLevelChanged = channel<LogLevel>('log.level-changed');

/** The contexts in which Nest logs how it assembles the application. Operators do not need these lines. */
const ASSEMBLY_CONTEXTS: ReadonlySet<string | undefined> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);
/** Errors of this context, such as a port in use, are also thrown. The code that catches them reports them. */
const THROWS_TOO = 'NestApplication';

/** In bytes. Log collectors accept this much as one line. */
const LONGEST_LINE = 64 * 1024;

/** Nest's logger, implemented with pino. It writes JSON lines, or colours on a terminal. */
export class PinoLog implements LoggerService {
  readonly #pino: Logger;

  constructor(level: LogLevel, output: { readonly isTTY?: boolean; write(line: string): unknown }) {
    const format = output.isTTY ? onTerminal() : String;
    const write = (line: string) => void output.write(format(bounded(withoutSecrets(line))));
    const serializers = { err: (shown: unknown) => shown };
    // The reason why the process ends is always logged.
    const least = level === 'silent' ? 'fatal' : level;
    this.#pino = pino({ level: least, base: undefined, serializers }, { write });
  }

  log = (message: unknown, ...rest: unknown[]) => this.#write('info', message, rest);
  warn = (message: unknown, ...rest: unknown[]) => this.#write('warn', message, rest);
  error = (message: unknown, ...rest: unknown[]) => this.#write('error', message, rest);
  fatal = (message: unknown, ...rest: unknown[]) => this.#write('fatal', message, rest);
  debug = (message: unknown, ...rest: unknown[]) => this.#write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]) => this.#write('trace', message, rest);

  /** Makes SIGUSR2 switch the level to `debug`, and the next SIGUSR2 back. */
  switchLevelOnSignal(): void {
    const configured = this.#pino.level as LogLevel;
    process.on('SIGUSR2', () => {
      const isBack = this.#pino.level !== configured;
      const level = isBack ? configured : 'debug';
      // The change is logged at the more detailed of the two levels.
      if (isBack) this.log(`The log level is ${level}`, 'LogLevel');
      this.#pino.level = level;
      logLevelChanged.publish(level);
      if (!isBack) this.log(`The log level is ${level} until the next SIGUSR2`, 'LogLevel');
    });
  }

  #write(level: Exclude<LogLevel, 'silent'>, message: unknown, rest: unknown[]): void {
    if (!this.#pino.isLevelEnabled(level)) return;
    const { fields, text } = logEntry(message, rest);
    const context = fields['context'] as string | undefined;
    const isMinor =
      level === 'info' ? ASSEMBLY_CONTEXTS.has(context) : level === 'error' && context === THROWS_TOO;
    this.#pino[isMinor ? 'debug' : level](fields, text);
  }
}

/** A readable form of lines. Texts in it are escaped, because JSON hides escape sequences of terminals, but this form would show them. */
function onTerminal(): (line: string) => string {
  // Only a terminal needs this package, and a constructor cannot wait for an import.
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const pretty = prettyFactory({ singleLine: true });
  const escaped = (_: string, value: unknown) => (typeof value === 'string' ? printableLines(value) : value);
  return (line) => pretty(JSON.parse(line, escaped));
}

/** If a line is too long, returns a line with only the fields that say where to look. */
function bounded(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  const { level, time, context, msg } = JSON.parse(line) as Record<string, unknown>;
  return `${JSON.stringify({ level, time, context, msg, shortened: true })}\n`;
}
