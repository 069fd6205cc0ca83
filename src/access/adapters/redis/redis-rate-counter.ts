import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { formatRate, type Rate } from '../../../kernel/rate.js';
import { takeFrom } from '../../../platform/rate/take-from.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';

/** Counts in Redis, so that replicas keep a rate together. While Redis cannot be reached each counts for itself. */
export class RedisRateCounter extends RateCounter {
  readonly #limiters = new Map<string, RateLimiterRedis>();

  constructor(private readonly redis: Redis) {
    super();
  }

  override take(subject: string, rate: Rate): Promise<Usage> {
    return takeFrom(this.#limiterOf(rate), subject);
  }

  #limiterOf(rate: Rate): RateLimiterRedis {
    const name = formatRate(rate);
    let limiter = this.#limiters.get(name);
    if (!limiter) {
      const window = { keyPrefix: `petstore:rate:${name}`, points: rate.limit, duration: rate.seconds };
      limiter = new RateLimiterRedis({
        ...window,
        storeClient: this.redis,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(window),
      });
      this.#limiters.set(name, limiter);
    }
    return limiter;
  }
}
