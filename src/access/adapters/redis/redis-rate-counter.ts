import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Clock, formatRate, type Rate } from '../../../kernel/index.js';
import type { Metrics } from '../../../platform/observability/index.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';
import { MemoryRateCounter, usageOf } from './memory-rate-counter.js';

/** How long a count may take, because a request waits for it. */
const COUNT_TIMEOUT_MS = 50;
/** How long Redis may be silent. Then the connection is closed. */
const SOCKET_TIMEOUT_MS = 500;
const RECONNECT_AFTER_MS = 2_000;
const PROBE_EVERY_MS = 1_000;
/**
 * Counts one more use in a window of ARGV[2] seconds. Redis ends the window by the clock of its machine. If that clock was set
 * back, the key would expire much too late, so the script shortens a window that is too long.
 */
const COUNT = `
  redis.call('SET', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  local uses = redis.call('INCRBY', KEYS[1], ARGV[1])
  local left = redis.call('PTTL', KEYS[1])
  local longest = 1000 * ARGV[2]
  if left < 0 or left > longest then
    redis.call('PEXPIRE', KEYS[1], longest)
    left = longest
  end
  return {uses, left}
`;
/** The library requires points and duration, but each rate passes its own. */
const OPTIONS = {
  keyPrefix: 'petstore:rate',
  points: 1,
  duration: 1,
  rejectIfRedisNotReady: true,
  customIncrTtlLuaScript: COUNT,
};

/**
 * Counts in Redis, so that replicas keep a rate together. From the first count that fails or is late until a probe succeeds in time,
 * each process counts for itself, so that a slow Redis delays few requests. Redis may respond but reject writes, so a gauge shows
 * whether Redis counts. The log contains when it stops and begins again.
 */
export class RedisRateCounter extends RateCounter implements OnModuleInit, OnApplicationShutdown {
  readonly #log = new Logger('Redis');
  readonly #redis: Redis;
  readonly #limiter: RateLimiterRedis;
  readonly #own: MemoryRateCounter;
  #counts = true;
  /** The latest error of the connection, until it is reported as a reason. */
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The first attempt to connect. Later ones are up to ioredis. */
  #connecting: Promise<unknown> | undefined;

  constructor(
    url: string,
    metrics: Metrics,
    private readonly http: HttpAdapterHost,
    clock: Clock,
    /** In ms. A test sets it where Redis must never be late. */
    readonly countTimeout = COUNT_TIMEOUT_MS,
  ) {
    super();
    this.#own = new MemoryRateCounter(clock);
    this.#redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // The ready check needs a permission of Redis that counting does not need.
      enableReadyCheck: false,
      // If Redis does not respond to the client info, ioredis is ready without a connection, and never connects again.
      disableClientInfo: true,
      maxRetriesPerRequest: 0,
      commandTimeout: countTimeout,
      socketTimeout: SOCKET_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: () => RECONNECT_AFTER_MS,
    }).on('error', (error) => (this.#failure = error));
    this.#limiter = new RateLimiterRedis({ ...OPTIONS, storeClient: this.#redis });
    metrics.gauge(
      'petstore_redis_connected',
      'Whether Redis counts rates for all replicas; while it does not, each process counts for itself.',
      (gauge) => gauge.set(Number(this.#counts && this.#redis.status === 'ready')),
    );
  }

  /** Does not connect in a command, because commands count nothing. */
  onModuleInit(): void {
    if (!this.http.httpAdapter) return;
    void this.#connect();
    this.#timer = setInterval(() => this.#watch(), PROBE_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
    this.#redis.disconnect();
  }

  override async take(subject: string, rate: Rate): Promise<Usage> {
    if (!this.#counts) return this.#own.take(subject, rate);
    try {
      const key = `${formatRate(rate)}:${subject}`;
      // Unlike `consume`, `penalty` has no limit, so all rates share one limiter.
      const uses = await this.#limiter.penalty(key, 1, { customDuration: rate.seconds });
      return usageOf(rate, uses.consumedPoints, uses.msBeforeNext);
    } catch (error) {
      this.#note(this.#reasonOf(error));
      return this.#own.take(subject, rate);
    }
  }

  /** Probes Redis, and counts there from now on if it counts. @returns why it does not count, which the caller reports */
  async probe(): Promise<string | undefined> {
    const reason = await this.#countOnce();
    this.#counts = reason === undefined;
    return reason;
  }

  /** Counts one use of the key `probe`, which has no rate. @returns why Redis does not count; undefined if it counts */
  async #countOnce(): Promise<string | undefined> {
    try {
      await this.#connect();
      await this.#limiter.penalty('probe');
      this.#failure = undefined;
      return undefined;
    } catch (error) {
      return this.#reasonOf(error);
    }
  }

  #connect(): Promise<unknown> {
    return (this.#connecting ??= this.#redis.connect().catch(() => undefined));
  }

  /** An error of the connection says more than the error of a command that follows from it. */
  #reasonOf(error: unknown): string {
    const { message } = this.#failure ?? (error as Error);
    this.#failure = undefined;
    return message;
  }

  async #watch(): Promise<void> {
    this.#note(await this.#countOnce());
  }

  /** Notes why Redis does not count, or that it counts, and logs a change. */
  #note(reason: string | undefined): void {
    if (this.#counts === (reason === undefined)) return;
    this.#counts = reason === undefined;
    if (this.#counts) this.#log.log('Redis counts again.');
    else this.#log.warn(`Redis does not count (${reason}). Each process counts for itself until it does.`);
  }
}
