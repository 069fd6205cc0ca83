import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';

/**
 * The reason why the service should get no requests, or no changes. `code` stays the same as long as the reason does, and
 * `message` is a sentence.
 */
export interface ReadinessProblem {
  readonly code: string;
  readonly message: string;
}

/** Whether the service accepts requests. It does from the end of its start until it stops. */
@Injectable()
export class Readiness {
  readonly #log = new Logger('Readiness');
  #state: 'starting' | 'ready' | 'stopping' = 'starting';
  #reason: { readonly code: string; readonly since: string } | undefined;

  constructor(private readonly clock: Clock) {}

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  get isStopping(): boolean {
    return this.#state === 'stopping';
  }

  /** Call this when the start is over. A service that is stopping does not become ready. */
  markReady(): void {
    if (this.#state === 'starting') this.#state = 'ready';
  }

  markStopping(): void {
    this.#state = 'stopping';
  }

  /** Logs a reason not to be ready, or not for changes, but only once. */
  found({ code, message }: ReadinessProblem): void {
    if (this.#reason?.code === code) return;
    this.#reason = { code, since: new Date(this.clock.now()).toISOString() };
    this.#log.warn(`${code === 'database_read_only' ? 'degraded' : 'not ready'}: ${message}`);
  }

  /** Logs that the service is ready again, if a check had found a reason before. */
  foundNothing(): void {
    if (this.#reason) this.#log.warn(`ready again, after ${this.#reason.code} since ${this.#reason.since}`);
    this.#reason = undefined;
  }
}
