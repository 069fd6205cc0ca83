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
    );
    this.client = new Redis(redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: (tries) => Math.min(tries * 100, 2_000),
    });
    this.client.on('error', () => this.#note({ isLost: true }));
    this.client.on('ready', () => this.#note({ isLost: false }));
  }

  onModuleInit(): void {
    const isServing = Boolean(this.http.httpAdapter);
    // The listeners above handle a failure.
    if (isServing) this.client?.connect().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.client?.disconnect();
  }

  #note({ isLost }: { isLost: boolean }): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    if (!isLost) this.#log.log('Redis is back.');
    else this.#log.warn('Redis cannot be reached. Each process counts for itself until it is back.');
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
    // The limiter throws the state of a subject that has no points left.
    const state = await this.#limiterOf(rate)
      .consume(subject)
      .catch((refusal: unknown) => {
        if (refusal instanceof RateLimiterRes) return refusal;
        throw refusal;
      });
    const { consumedPoints, remainingPoints, msBeforeNext } = state;
    return { admitted: consumedPoints <= rate.limit, remaining: remainingPoints, resetIn: msBeforeNext };
  }

  #limiterOf(rate: Rate): RateLimiterAbstract {
    const name = formatRate(rate);
    const known = this.#limiters.get(name);
    if (known) return known;
    const window = { keyPrefix: `petstore:rate:${name}`, points: rate.limit, duration: rate.seconds };
    const insuranceLimiter = new RateLimiterMemory(window);
    const redis = { storeClient: this.connection.client, rejectIfRedisNotReady: true, insuranceLimiter };
    const limiter = redis.storeClient ? new RateLimiterRedis({ ...window, ...redis }) : insuranceLimiter;
    this.#limiters.set(name, limiter);
    return limiter;
  }
}
