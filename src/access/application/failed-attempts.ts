import type { Clock } from '../../kernel/clock.js';

/** No refusal of a credential is sent sooner, so that its time does not show whether a query was needed. */
const MIN_DELAY_MS = 50;
/** So many failures of an address are not delayed further; each one after that adds a step. */
const FREE_FAILURES = 5;
const DELAY_STEP_MS = 100;
const MAX_DELAY_MS = 2_000;
/** After that time without a failure an address starts from zero. */
const RESET_AFTER_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Delays the refusals of addresses that keep sending bad credentials. No other address is affected. */
export class FailedAttempts {
  readonly #byAddress = new Map<string, { count: number; lastAt: number }>();

  constructor(private readonly clock: Clock) {}

  /** Counts a failure of an address, and waits until its refusal may be sent. `begunAt` is when its request came. */
  async delayRefusal(address: string, begunAt: number): Promise<void> {
    const due = begunAt + MIN_DELAY_MS + this.#delay(this.#count(address));
    await this.clock.sleep(Math.max(0, due - this.clock.now()));
  }

  #delay(count: number): number {
    return Math.min(Math.max(0, count - FREE_FAILURES) * DELAY_STEP_MS, MAX_DELAY_MS);
  }

  #count(address: string): number {
    const now = this.clock.now();
    const known = this.#byAddress.get(address);
    const count = known && now - known.lastAt < RESET_AFTER_MS ? known.count + 1 : 1;
    // Re-entered at the end, so that the first entry is always the oldest.
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { count, lastAt: now });
    if (this.#byAddress.size > MAX_ADDRESSES) this.#byAddress.delete(this.#byAddress.keys().next().value!);
    return count;
  }
}
