import { Inject, Injectable } from '@nestjs/common';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { formatRate, type Rate } from '../../../kernel/rate.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';
import { RedisConnection } from './redis-connection.js';

type Connection = Pick<RedisConnection, 'client' | 'failed'>;

interface Limiters {
  readonly memory: RateLimiterAbstract;
  readonly redis: RateLimiterAbstract | undefined;
}

/** Counts in Redis, so that replicas keep a rate together. Without Redis, and while it does not count, each process counts for itself. */
@Injectable()
export class RedisRateCounter extends RateCounter {
  readonly #limiters = new Map<string, Limiters>();

  constructor(@Inject(RedisConnection) private readonly connection: Connection) {
    super();
  }

  override async take(subject: string, rate: Rate): Promise<Usage> {
    const { memory, redis } = this.#limitersOf(rate);
    const state = await consume(redis ?? memory, subject).catch((error: Error) => {
      this.connection.failed(error);
      return consume(memory, subject);
    });
    const { consumedPoints, remainingPoints, msBeforeNext } = state;
    return { admitted: consumedPoints <= rate.limit, remaining: remainingPoints, resetIn: msBeforeNext };
  }

  #limitersOf(rate: Rate): Limiters {
    const name = formatRate(rate);
    const known = this.#limiters.get(name);
    if (known) return known;
    const window = { keyPrefix: `petstore:rate:${name}`, points: rate.limit, duration: rate.seconds };
    const { client: storeClient } = this.connection;
    const redis =
      storeClient && new RateLimiterRedis({ ...window, storeClient, rejectIfRedisNotReady: true });
    const limiters = { memory: new RateLimiterMemory(window), redis };
    this.#limiters.set(name, limiters);
    return limiters;
  }
}

/** The state of a subject after one more use. A limiter throws that of one that has no points left. @throws Error of Redis */
function consume(limiter: RateLimiterAbstract, subject: string): Promise<RateLimiterRes> {
  return limiter.consume(subject).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
}
