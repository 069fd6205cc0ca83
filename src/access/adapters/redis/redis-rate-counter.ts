import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
  Optional,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { Clock, formatRate, type Rate } from '../../../kernel/index.js';
import { Metrics } from '../../../platform/observability/index.js';
import { DoctorCheck, type Finding, ok, problem } from '../../../platform/ops/index.js';
import { AccessSettings } from '../../access.settings.js';
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
 * Counts in Redis, so that replicas keep a rate together. Without Redis, each process counts for itself. It also does so from the first
 * count that fails or is late until a probe succeeds in time, so that a slow Redis delays few requests. Redis may respond but reject
 * writes, so a gauge shows whether Redis counts. The log contains when it stops and begins again.
 */
@Injectable()
export class RedisRateCounter extends RateCounter implements OnModuleInit, OnApplicationShutdown {
  readonly #log = new Logger('Redis');
  readonly #redis: Redis | undefined;
  readonly #limiter: RateLimiterRedis | undefined;
  readonly #own: MemoryRateCounter;
  #counts = true;
  /** The latest error of the connection, until it is reported as a reason. */
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The first attempt to connect. Later ones are up to ioredis. */
  #connecting: Promise<unknown> | undefined;

  constructor(
    { redisUrl }: AccessSettings,
    metrics: Metrics,
    private readonly http: HttpAdapterHost,
    clock: Clock,
    /** In ms. A test sets it where Redis must never be late. */
    @Optional() countTimeout = COUNT_TIMEOUT_MS,
  ) {
    super();
    this.#own = new MemoryRateCounter(clock);
    if (redisUrl === undefined) return;
    this.#redis = new Redis(redisUrl, {
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
      (gauge) => gauge.set(Number(this.#counts && this.#redis?.status === 'ready')),
    );
  }

  /** Does not connect in a command, because commands count nothing. */
  onModuleInit(): void {
    if (!this.#redis || !this.http.httpAdapter) return;
    void this.#connect();
    this.#timer = setInterval(() => this.#watch(), PROBE_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
    this.#redis?.disconnect();
  }

  override async take(subject: string, rate: Rate): Promise<Usage> {
    if (!this.#limiter || !this.#counts) return this.#own.take(subject, rate);
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
      await this.#limiter!.penalty('probe');
      this.#failure = undefined;
      return undefined;
    } catch (error) {
      return this.#reasonOf(error);
    }
  }

  #connect(): Promise<unknown> {
    return (this.#connecting ??= this.#redis!.connect().catch(() => undefined));
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

/** Counts in Redis once, because Redis may respond but reject writes. */
@Injectable()
export class RedisCheck extends DoctorCheck {
  readonly name = 'redis';

  constructor(
    private readonly settings: AccessSettings,
    @Inject(RateCounter) private readonly counter: RedisRateCounter,
  ) {
    super();
  }

  override async run(): Promise<Finding[]> {
    if (this.settings.redisUrl === undefined) return [];
    const reason = await this.counter.probe();
    if (reason === undefined) return [ok('Redis counts.')];
    const what = `Redis does not count (${reason}): each process counts rates for itself.`;
    const remedy = `See that it runs, is reached, accepts writes and responds within ${COUNT_TIMEOUT_MS} ms, and look at REDIS_URL.`;
    return [problem(what, remedy)];
  }
}
