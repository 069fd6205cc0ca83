import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import { formatRate, type Rate } from '../../../kernel/rate.js';
import { Metrics } from '../../../platform/observability/metrics/metrics.js';
import { DoctorCheck, type Finding, ok, problem } from '../../../platform/ops/doctor/checks.js';
import { AccessSettings } from '../../access.settings.js';
import { RateCounter, type Usage } from '../../ports/rate-counter.js';

/** How long Redis may be silent before its connection is given up, and with it all that wait. */
const SOCKET_TIMEOUT_MS = 500;
const RECONNECT_AFTER_MS = 2_000;
const PROBE_EVERY_MS = 1_000;
const PREFIX = 'petstore:rate';

/**
 * Counts in Redis, so that replicas keep a rate together; without Redis, and while it does not count, each process counts for
 * itself. A gauge says whether Redis counts, for it may answer and refuse to write; the log tells when that ends and begins again.
 */
@Injectable()
export class RedisRateCounter extends RateCounter implements OnModuleInit, OnApplicationShutdown {
  readonly #log = new Logger('Redis');
  readonly #limiters = new Map<string, RateLimiterAbstract>();
  readonly #redis: Redis | undefined;
  #counts = true;
  /** The latest of the connection since the last probe. */
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { redisUrl }: AccessSettings,
    metrics: Metrics,
    private readonly http: HttpAdapterHost,
  ) {
    super();
    if (redisUrl === undefined) return;
    this.#redis = new Redis(redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // It needs a right that counting does not.
      enableReadyCheck: false,
      // If Redis is silent about it, ioredis is ready without a connection, and never connects again.
      disableClientInfo: true,
      maxRetriesPerRequest: 0,
      socketTimeout: SOCKET_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: () => RECONNECT_AFTER_MS,
    }).on('error', (error) => (this.#failure = error));
    metrics.gauge(
      'petstore_redis_connected',
      'Whether Redis counts rates for all replicas; while it does not, each process counts for itself.',
      (gauge) => gauge.set(Number(this.#counts && this.#redis?.status === 'ready')),
    );
  }

  /** Commands count nothing. */
  onModuleInit(): void {
    if (!this.#redis || !this.http.httpAdapter) return;
    this.#redis.connect().catch(() => undefined);
    this.#timer = setInterval(() => this.#watch(), PROBE_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
    this.#redis?.disconnect();
  }

  override async take(subject: string, rate: Rate): Promise<Usage> {
    const uses = this.#limiterOf(rate).consume(subject);
    // It throws the state of a subject that has no points left.
    const state = await uses.catch((refusal: RateLimiterRes) => refusal);
    const { consumedPoints, remainingPoints, msBeforeNext } = state;
    return { admitted: consumedPoints <= rate.limit, remaining: remainingPoints, resetIn: msBeforeNext };
  }

  /** Counts once, as keys without a rate are not counted. @returns why Redis does not count; undefined if it does */
  async probe(): Promise<string | undefined> {
    try {
      if (this.#redis!.status === 'wait') await this.#redis!.connect();
      await this.#inRedis({ keyPrefix: PREFIX, points: 1, duration: 1 }).penalty('probe');
      return undefined;
    } catch (error) {
      return (this.#failure ?? (error as Error)).message;
    } finally {
      this.#failure = undefined;
    }
  }

  async #watch(): Promise<void> {
    const reason = await this.probe();
    if (this.#counts === (reason === undefined)) return;
    this.#counts = reason === undefined;
    if (this.#counts) this.#log.log('Redis counts again.');
    else this.#log.warn(`Redis does not count (${reason}). Each process counts for itself until it does.`);
  }

  #limiterOf(rate: Rate): RateLimiterAbstract {
    const name = formatRate(rate);
    const known = this.#limiters.get(name);
    if (known) return known;
    const window = { keyPrefix: `${PREFIX}:${name}`, points: rate.limit, duration: rate.seconds };
    const memory = new RateLimiterMemory(window);
    const limiter = this.#redis ? this.#inRedis({ ...window, insuranceLimiter: memory }) : memory;
    this.#limiters.set(name, limiter);
    return limiter;
  }

  #inRedis(options: IRateLimiterOptions & { insuranceLimiter?: RateLimiterMemory }): RateLimiterRedis {
    return new RateLimiterRedis({ ...options, storeClient: this.#redis, rejectIfRedisNotReady: true });
  }
}

/** Asks Redis for a count: it may answer and refuse to write. */
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
    return [problem(what, 'See that it runs, is reached and accepts writes, and look at REDIS_URL.')];
  }
}
