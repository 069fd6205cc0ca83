import { RateLimiterMemory } from 'rate-limiter-flexible';
import { formatRate, type Rate } from '../../../kernel/rate.js';
import { takeFrom } from '../../../platform/rate/take-from.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';

/** Counts in this process: enough where there is one. */
export class MemoryRateCounter extends RateCounter {
  readonly #limiters = new Map<string, RateLimiterMemory>();

  override take(subject: string, rate: Rate): Promise<Usage> {
    return takeFrom(this.#limiterOf(rate), subject);
  }

  #limiterOf(rate: Rate): RateLimiterMemory {
    const name = formatRate(rate);
    let limiter = this.#limiters.get(name);
    if (!limiter) {
      limiter = new RateLimiterMemory({ keyPrefix: name, points: rate.limit, duration: rate.seconds });
      this.#limiters.set(name, limiter);
    }
    return limiter;
  }
}
