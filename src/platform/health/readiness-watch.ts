import type { Clock } from '../../kernel/clock.js';
import type { Reason } from '../http/errors/not-ready.js';

/** Why the service is not ready, as it is found at one moment. */
export type Finding = Omit<Reason, 'since'>;

/** Knows since when the service is ready or not, and tells of a change once, however often it is asked. */
export class ReadinessWatch {
  #reason: Reason | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly tell: (message: string) => void,
  ) {}

  /** Takes down why the service is not ready. @returns the same, with the time when that was first found */
  notReady({ code, message }: Finding): Reason {
    if (this.#reason?.code !== code) {
      this.#reason = { code, message, since: new Date(this.clock.now()).toISOString() };
      this.tell(`not ready: ${message}`);
    }
    return { ...this.#reason, message };
  }

  ready(): void {
    if (this.#reason) this.tell(`ready again, after ${this.#reason.code} since ${this.#reason.since}`);
    this.#reason = undefined;
  }
}
