import type { Clock } from '../../kernel/clock.js';

/** No rejection of a credential is sent earlier than this, so that its time does not show whether a query was needed. */
const MIN_DELAY_MS = 50;
/** The number of failures of an address that are not delayed further; each later one adds a step. */
const FREE_FAILURES = 5;
const DELAY_STEP_MS = 100;
const MAX_DELAY_MS = 2_000;
/** The maximum number of rejections of one address that are delayed at the same time. */
const MAX_DELAYED = 250;
/** An address starts from zero after this time without a failure. */
const RESET_AFTER_MS = 60_000;
const MAX_ADDRESSES = 10_000;

interface Failures {
  count: number;
  lastAt: number;
  /** When all delays of the address will be over, if `MAX_DELAYED` of them pass at a time (a leaky bucket). */
  delaysUntil: number;
}

/** Delays rejections for addresses that keep sending bad credentials. No other address is affected. */
export class FailedAttempts {
  readonly #byAddress = new Map<string, Failures>();

  constructor(
    private readonly clock: Clock,
    private readonly maxAddresses = MAX_ADDRESSES,
  ) {}

  /**
   * Whether an address has so many pending delays that its next guess is rejected without a lookup. Delays of clients that left
   * count as well; otherwise leaving would be faster than waiting.
   */
  isExhausted(address: string): boolean {
    const known = this.#byAddress.get(address);
    return known !== undefined && known.delaysUntil - this.clock.now() > MIN_DELAY_MS + MAX_DELAY_MS;
  }

  /** Counts a failure of an address. `begunAt` is when it began. @returns in how many ms its refusal may be sent */
  failed(address: string, begunAt: number): number {
    const now = this.clock.now();
    const failures = this.#of(address, now);
    const delay = MIN_DELAY_MS + this.#delay(failures.count);
    failures.delaysUntil = Math.max(failures.delaysUntil, now) + delay / MAX_DELAYED;
    return Math.max(0, begunAt + delay - now);
  }

  #delay(count: number): number {
    return Math.min(Math.max(0, count - FREE_FAILURES) * DELAY_STEP_MS, MAX_DELAY_MS);
  }

  #of(address: string, now: number): Failures {
    const known = this.#byAddress.get(address);
    const failures =
      known && now - known.lastAt < RESET_AFTER_MS ? known : { count: 0, lastAt: now, delaysUntil: now };
    failures.count += 1;
    failures.lastAt = now;
    // Inserted again at the end, so that the first entry is always the oldest.
    this.#byAddress.delete(address);
    this.#byAddress.set(address, failures);
    if (this.#byAddress.size > this.maxAddresses)
      this.#byAddress.delete(this.#byAddress.keys().next().value!);
    return failures;
  }
}
