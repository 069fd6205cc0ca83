import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Settings } from '../../../platform/config/settings.js';
import { Check, ok, warning } from '../../../platform/doctor/check.js';

const CHECK_TIMEOUT_MS = 1_500;

/** Whether replicas can share their counts. Without Redis each process counts for itself, so its absence is only a warning. */
@Injectable()
export class RedisCheck extends Check {
  readonly name = 'redis';
  readonly needs = 'nothing';

  constructor(private readonly settings: Settings) {
    super();
  }

  override async run() {
    const { redisUrl } = this.settings;
    if (redisUrl === undefined) return [];
    const redis = new Redis(redisUrl, {
      lazyConnect: true,
      connectTimeout: CHECK_TIMEOUT_MS,
      commandTimeout: CHECK_TIMEOUT_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    // Without a listener ioredis prints every failure.
    let failure = 'no answer';
    redis.on('error', (error: Error) => (failure = error.message));
    try {
      await redis.connect();
      await redis.ping();
      return [ok('Redis answers.')];
    } catch {
      const what = `Redis cannot be reached (${failure}): each process counts rates for itself.`;
      return [warning(what, 'Check that it runs and can be reached from this machine, and check REDIS_URL.')];
    } finally {
      redis.disconnect();
    }
  }
}
