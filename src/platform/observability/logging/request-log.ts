import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type LogLevel, Settings } from '../../config/settings.js';
import { answered, type AnsweredRequest } from '../requests.js';
import { logLevelChanged } from './pino-log.js';

const LEVELS_WITH_DEBUG: readonly LogLevel[] = ['debug', 'trace'];
const LEVELS_WITH_INFO: readonly LogLevel[] = ['info', ...LEVELS_WITH_DEBUG];

/** The probes that load balancers send every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['livez', 'readyz']);

/** Logs a line for each request, for probes at `debug`. Failures (5xx) are logged with their cause where they are answered. */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Request');
  #logsProbes = false;

  constructor(private readonly settings: Settings) {}

  onApplicationBootstrap(): void {
    this.#listen(this.settings.logLevel);
    logLevelChanged.subscribe(this.#listen);
  }

  onApplicationShutdown(): void {
    logLevelChanged.unsubscribe(this.#listen);
    answered.unsubscribe(this.#write);
  }

  /** If nothing would be logged, requests pay nothing. */
  readonly #listen = (level: LogLevel): void => {
    answered.unsubscribe(this.#write);
    this.#logsProbes = LEVELS_WITH_DEBUG.includes(level);
    if (LEVELS_WITH_INFO.includes(level)) answered.subscribe(this.#write);
  };

  readonly #write = (request: AnsweredRequest): void => {
    const { method, operation, status } = request;
    if (status >= 500) return;
    const isProbe = PROBES.has(operation);
    if (isProbe && !this.#logsProbes) return;
    this.#log[isProbe ? 'debug' : 'log'](`${method} ${operation} ${status}`, request);
  };
}
