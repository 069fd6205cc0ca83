import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Settings } from '../../config/settings.js';
import type { LeanResponse } from '../server/lean-response.js';
import { answered } from '../server/server-channels.js';
import { requestFacts } from './request-facts.js';

const LEVELS_WITH_INFO: readonly Settings['logLevel'][] = ['info', 'debug', 'trace'];

/**
 * A line in the log for each answered request, or for a share of them. Failures (5xx) are not among them: whoever answers
 * one tells of it at once, with its cause.
 */
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('Request');

  /** `random` is anything from 0 to below 1. */
  constructor(
    private readonly settings: Pick<Settings, 'logLevel' | 'logSample'>,
    private readonly random: () => number = Math.random,
  ) {}

  onApplicationBootstrap(): void {
    const { logLevel, logSample } = this.settings;
    if (logSample > 0 && LEVELS_WITH_INFO.includes(logLevel)) answered.subscribe(this.#tell);
  }

  onApplicationShutdown(): void {
    answered.unsubscribe(this.#tell);
  }

  #tell = (response: LeanResponse): void => {
    if (response.statusCode >= 500 || this.random() >= this.settings.logSample) return;
    const facts = requestFacts(response);
    this.#log.log(`${facts.method} ${facts.operation} ${facts.status}`, facts);
  };
}
