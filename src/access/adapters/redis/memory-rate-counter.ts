import { type Clock, formatRate, type Rate } from '../../../kernel/index.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';

interface Window {
  /** In ms of the monotonic clock, so that setting the time of day neither lengthens nor ends a window. */
  readonly endsAt: number;
  uses: number;
}

/** Counts for one process. */
export class MemoryRateCounter extends RateCounter {
  /** By rate, then by subject. All windows of one rate have the same length, so the first to begin is the first to end. */
  readonly #windows = new Map<string, Map<string, Window>>();

  constructor(private readonly clock: Clock) {
    super();
  }

  override async take(subject: string, rate: Rate): Promise<Usage> {
    const now = this.clock.monotonic();
    const windows = this.#openWindows(formatRate(rate), now);
    const window = windows.get(subject) ?? { endsAt: now + rate.seconds * 1_000, uses: 0 };
    windows.set(subject, window);
    window.uses += 1;
    return usageOf(rate, window.uses, window.endsAt - now);
  }

  #openWindows(rate: string, now: number): Map<string, Window> {
    const windows = this.#windows.get(rate) ?? new Map<string, Window>();
    this.#windows.set(rate, windows);
    for (const [subject, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(subject);
    }
    return windows;
  }
}

export const usageOf = ({ limit }: Rate, uses: number, resetIn: number): Usage => ({
  admitted: uses <= limit,
  remaining: Math.max(0, limit - uses),
  resetIn,
});
