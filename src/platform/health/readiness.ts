import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../kernel/clock.js';
import type { Reason } from '../http/errors/api-exception.js';

/** Why the service is not ready, or not ready for changes, at one moment. */
type Finding = Omit<Reason, 'since'>;

/** Whether the service accepts requests: from the end of its start until it stops. */
@Injectable()
export class Readiness {
  readonly #log = new Logger('Readiness');
  #state: 'starting' | 'ready' | 'stopping' = 'starting';
  #reason: Reason | undefined;

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

  /** A check found a reason not to be ready, or not for changes: logs it once. @returns it with the time it was first found */
  found({ code, message }: Finding): Reason {
    if (this.#reason?.code !== code) {
      this.#reason = { code, message, since: new Date(this.clock.now()).toISOString() };
      this.#log.warn(`${code === 'database_read_only' ? 'degraded' : 'not ready'}: ${message}`);
    }
    return { ...this.#reason, message };
  }

  /** A check found no problem: logs it if there was one before. */
  foundNothing(): void {
    if (this.#reason) this.#log.warn(`ready again, after ${this.#reason.code} since ${this.#reason.since}`);
    this.#reason = undefined;
  }
}

/** Decides who may see why the service is not ready; implemented by the module that authenticates callers. */
export abstract class Operators {
  /**
   * Whether a request comes from an operator: false without a valid credential, or if that cannot be decided. Never throws, and
   * takes no longer than a probe may, except for a bad credential.
   */
  abstract isOperator(request: Request): Promise<boolean>;
}
