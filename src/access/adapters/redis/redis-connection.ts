import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { Settings } from '../../../platform/config/settings.js';
import { Metrics } from '../../../platform/observability/metrics/metrics.js';

/** How long a request waits for Redis before the service goes on without it. */
const COMMAND_TIMEOUT_MS = 250;
const PROBE_EVERY_MS = 1_000;

/**
 * The connection to Redis, if one is configured, in a process that serves: commands count nothing. It reconnects by itself. A
 * gauge says whether Redis counts, for it may answer and refuse to write; when that ends and begins again is logged once each.
 */
@Injectable()
export class RedisConnection implements OnModuleInit, OnApplicationShutdown {
  readonly client: Redis | undefined;
  readonly #log = new Logger('Redis');
  #counts = true;
  /** The latest since the last probe. */
  #failure: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { redisUrl }: Settings,
    metrics: Metrics,
    private readonly http: HttpAdapterHost,
  ) {
    if (redisUrl === undefined) return;
    metrics.gauge(
      'petstore_redis_connected',
      'Whether Redis counts rates for all replicas; while it does not, each process counts for itself.',
      (gauge) => gauge.set(Number(this.#counts && this.client?.status === 'ready')),
    );
    this.client = new Redis(redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // It needs a right that counting does not.
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: (tries) => Math.min(tries * 100, 2_000),
    });
    this.client.on('error', (error) => (this.#failure = error));
  }

  onModuleInit(): void {
    const { client } = this;
    if (!client || !this.http.httpAdapter) return;
    const window = { keyPrefix: 'petstore:rate', points: 1, duration: 1 };
    const limiter = new RateLimiterRedis({ ...window, storeClient: client });
    this.#timer = setInterval(() => this.#probe(limiter), PROBE_EVERY_MS).unref();
    // The listener above handles a failure.
    client.connect().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
    this.client?.disconnect();
  }

  /** A rate could not be counted. Whatever happens to the connection, its events tell. */
  failed(error: Error): void {
    if (this.client?.status === 'ready') this.#failure = error;
  }

  /** Redis counts if everything was counted since the last probe, and this, as keys without a rate are not counted. */
  async #probe(limiter: RateLimiterRedis): Promise<void> {
    await limiter.penalty('probe').catch((error: Error) => (this.#failure ??= error));
    const failure = this.#failure;
    this.#failure = undefined;
    if (this.#counts === !failure) return;
    this.#counts = !failure;
    if (!failure) this.#log.log('Redis counts again.');
    else
      this.#log.warn(
        `Redis does not count (${failure.message}). Each process counts for itself until it does.`,
      );
  }
}
