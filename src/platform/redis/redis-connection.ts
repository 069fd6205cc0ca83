import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';

/** How long a request may wait for Redis, in ms, before the service goes on without it. */
const COMMAND_TIMEOUT_MS = 250;

/** The connection to Redis. It is made anew by itself; that it is gone, or back, is said once. */
export class RedisConnection implements OnApplicationShutdown {
  readonly client: Redis;
  readonly #log = new Logger('Redis');
  #lost = false;

  constructor(url: string) {
    this.client = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 2_000,
      retryStrategy: (tries) => Math.min(tries * 100, 2_000),
    });
    this.client.on('error', () => this.#lose());
    this.client.on('ready', () => this.#find());
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }

  #lose(): void {
    if (!this.#lost)
      this.#log.warn('Redis cannot be reached. Each replica counts for itself until it is back.');
    this.#lost = true;
  }

  #find(): void {
    if (this.#lost) this.#log.log('Redis is back.');
    this.#lost = false;
  }
}
