import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import type { LeanResponse } from '../../http/server/lean-response.js';
import { answered } from '../../http/server/server-channels.js';
import { requestLogFields } from './request-log-fields.js';

const LEVELS_WITH_INFO: readonly Settings['logLevel'][] = ['info', 'debug', 'trace'];

/**
 * Logs a line for each answered request, or for a share of them. Failures (5xx) are not among them: whoever answers one logs
 * it at once, with its cause.
 */
@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Request');

  constructor(private readonly settings: Settings) {}

  onApplicationBootstrap(): void {
    const { logLevel, logSample } = this.settings;
    if (logSample > 0 && LEVELS_WITH_INFO.includes(logLevel)) answered.subscribe(this.#write);
  }

  onApplicationShutdown(): void {
    answered.unsubscribe(this.#write);
  }

  /** From 0 to below 1. */
  protected random(): number {
    return Math.random();
  }

  readonly #write = (response: LeanResponse): void => {
    if (response.statusCode >= 500 || this.random() >= this.settings.logSample) return;
    const fields = requestLogFields(response);
    this.#log.log(`${fields.method} ${fields.operation} ${fields.status}`, fields);
  };
}
