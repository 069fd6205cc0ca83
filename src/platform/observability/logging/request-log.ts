import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type LogLevel, Settings } from '../../config/settings.js';
import { answered, type AnsweredRequest } from '../requests.js';
import { logLevelChanged } from './pino-log.js';

/** At the other levels no request would be logged, so the log does not subscribe. */
const LEVELS: ReadonlySet<LogLevel> = new Set(['info', 'debug', 'trace']);

/** The probes that load balancers send every few seconds. */
const PROBES: ReadonlySet<string> = new Set(['livez', 'readyz']);

/**
 * Logs a line for each request, and for probes at `debug`. A failure (5xx) is logged with its cause where the response is made.
 */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Request');

  constructor(private readonly settings: Settings) {}

  onApplicationBootstrap(): void {
    this.#listen(this.settings.logLevel);
    logLevelChanged.subscribe(this.#listen);
  }

  onApplicationShutdown(): void {
    logLevelChanged.unsubscribe(this.#listen);
    answered.unsubscribe(this.#write);
  }

  readonly #listen = (level: LogLevel): void => {
    answered.unsubscribe(this.#write);
    if (LEVELS.has(level)) answered.subscribe(this.#write);
  };

  readonly #write = (request: AnsweredRequest): void => {
    const { method, operation, status } = request;
    if (status >= 500) return;
    this.#log[PROBES.has(operation) ? 'debug' : 'log'](`${method} ${operation} ${status}`, request);
  };
}
