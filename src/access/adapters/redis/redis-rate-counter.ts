import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { formatRate, type Rate } from '../../../kernel/rate.js';
import { Settings } from '../../../platform/config/settings.js';
import { Metrics } from '../../../platform/observability/metrics/metrics.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';

/** How long a request waits for Redis before the service goes on without it. */
const COMMAND_TIMEOUT_MS = 250;

/**
 * The connection to Redis, if one is configured, in a process that serves: commands count nothing. It reconnects by itself;
 * losing it and getting it back are logged once each.
 */
@Injectable()
export class RedisConnection implements OnModuleInit, OnApplicationShutdown {
  readonly client: Redis | undefined;
  readonly #log = new Logger('Redis');
  #isLost = false;

  constructor(
    { redisUrl }: Settings,
    metrics: Metrics,
    private readonly http: HttpAdapterHost,
  ) {
    if (redisUrl === undefined) return;
    metrics.gauge(
      'petstore_redis_connected',
      'Whether replicas count rates together; without Redis each process counts for itself.',
      (gauge) => gauge.set(Number(this.client?.status === 'ready')),
      { aggregator: 'min' },
    );
    this.client = new Redis(redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: (tries) => Math.min(tries * 100, 2_000),
    });
    this.client.on('error', () => this.#lost());
    this.client.on('ready', () => this.#ready());
  }

  onModuleInit(): void {
    const isServing = Boolean(this.http.httpAdapter);
    // The listeners above handle a failure.
    if (isServing) this.client?.connect().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.client?.disconnect();
  }

  #lost(): void {
    if (!this.#isLost)
      this.#log.warn('Redis cannot be reached. Each process counts for itself until it is back.');
    this.#isLost = true;
  }

  #ready(): void {
    if (this.#isLost) this.#log.log('Redis is back.');
    this.#isLost = false;
  }
}

/** Counts in Redis, so that replicas keep a rate together. Without Redis, and while it is away, each process counts for itself. */
@Injectable()
export class RedisRateCounter extends RateCounter {
  readonly #limiters = new Map<string, RateLimiterAbstract>();

  constructor(@Inject(RedisConnection) private readonly connection: Pick<RedisConnection, 'client'>) {
    super();
  }

  override async take(subject: string, rate: Rate): Promise<Usage> {
    try {
      return usageOf(await this.#limiterOf(rate).consume(subject), true);
    } catch (refusal) {
      // The limiter throws the state of a subject that has no points left.
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return usageOf(refusal, false);
    }
  }

  #limiterOf(rate: Rate): RateLimiterAbstract {
    const name = formatRate(rate);
    let limiter = this.#limiters.get(name);
    if (!limiter) {
      const { client } = this.connection;
      const window = { keyPrefix: `petstore:rate:${name}`, points: rate.limit, duration: rate.seconds };
      const inMemory = new RateLimiterMemory(window);
      limiter = client
        ? new RateLimiterRedis({
            ...window,
            storeClient: client,
            rejectIfRedisNotReady: true,
            insuranceLimiter: inMemory,
          })
        : inMemory;
      this.#limiters.set(name, limiter);
    }
    return limiter;
  }
}

const usageOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, admitted: boolean): Usage => ({
  admitted,
  remaining: remainingPoints,
  resetIn: msBeforeNext,
});
