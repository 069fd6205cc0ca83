import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';

/** Why the service should get no requests, or no changes: a word that stays the same while the reason does, and a sentence. */
export interface Finding {
  readonly code: string;
  readonly message: string;
}

/** Whether the service accepts requests: from the end of its start until it stops. */
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

  /** To be called when the start is over. A service that is stopping does not become ready. */
  markReady(): void {
    if (this.#state === 'starting') this.#state = 'ready';
  }

  markStopping(): void {
    this.#state = 'stopping';
  }

  /** A check found a reason not to be ready, or not for changes: logs it once. */
  found({ code, message }: Finding): void {
    if (this.#reason?.code === code) return;
    this.#reason = { code, since: new Date(this.clock.now()).toISOString() };
    this.#log.warn(`${code === 'database_read_only' ? 'degraded' : 'not ready'}: ${message}`);
  }

  /** A check found no problem: logs it if there was one before. */
  foundNothing(): void {
    if (this.#reason) this.#log.warn(`ready again, after ${this.#reason.code} since ${this.#reason.since}`);
    this.#reason = undefined;
  }
}
