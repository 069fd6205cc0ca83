import { Global, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock, RandomSource, UnitOfWork } from '../kernel/index.js';
import { Commands } from '../platform/ops/index.js';
import { SettingsModule } from '../platform/config/index.js';
import { DatabaseClock, Migrations, sequence } from '../platform/database/index.js';
import { DeclaredScopes } from '../platform/http/index.js';
import { Metrics } from '../platform/observability/index.js';
import { provide } from '../platform/provide.js';
import { BearerGuard, keyLookedUp, rateExceeded } from './adapters/http/bearer.guard.js';
import { MemoryRateCounter } from './adapters/redis/memory-rate-counter.js';
import { RedisCheck } from './adapters/redis/redis-check.js';
import { ApiKeySchema, KeyEventSchema } from './adapters/typeorm/api-key.schema.js';
import { CreateApiKeys } from './adapters/typeorm/create-api-keys.migration.js';
import { TypeOrmApiKeyRepository } from './adapters/typeorm/typeorm-api-key-repository.js';
import { ApiKeyService } from './application/api-key-service.js';
import { AccessSettings } from './access.settings.js';
import { ApiKeyRepository } from './ports/api-key-repository.js';
import { RateCounter } from './ports/rate-counter.js';

/** API keys, with their authentication, scopes and rates. */
@Global()
@Migrations(CreateApiKeys)
@Commands(async (context) => (await import('./adapters/cli/keys.command.js')).keysCommand(context))
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKeySchema, KeyEventSchema]),
    SettingsModule.forFeature(AccessSettings),
  ],
  providers: [
    { provide: ApiKeyRepository, useClass: TypeOrmApiKeyRepository },
    {
      provide: RateCounter,
      inject: [AccessSettings, Metrics, HttpAdapterHost, Clock],
      async useFactory({ redisUrl }: AccessSettings, metrics: Metrics, http: HttpAdapterHost, clock: Clock) {
        if (redisUrl === undefined) return new MemoryRateCounter(clock);
        // A service without Redis does not load its library.
        const { RedisRateCounter } = await import('./adapters/redis/redis-rate-counter.js');
        return new RedisRateCounter(redisUrl, metrics, http, clock);
      },
    },
    provide(ApiKeyService, ApiKeyRepository, UnitOfWork, sequence('api_keys'), DatabaseClock, RandomSource, {
      of: DeclaredScopes,
      take: (declared: DeclaredScopes) => () => declared.all(),
    }),
    BearerGuard,
    RedisCheck,
  ],
  exports: [ApiKeyService, BearerGuard],
})
export class AccessModule {
  constructor(metrics: Metrics, apiKeys: ApiKeyService) {
    metrics.queriedGauge(
      'petstore_keys_ending',
      'Valid keys that expire within 14 days and were not rotated.',
      async (gauge) => gauge.set(await apiKeys.countEnding()),
    );
    const lookups = metrics.counter(
      'petstore_key_cache_total',
      'Key lookups, from the cache (hit) or the database (miss).',
      'outcome',
    );
    for (const outcome of ['hit', 'miss']) lookups.inc({ outcome }, 0);
    metrics.on(keyLookedUp, (outcome) => lookups.inc({ outcome }));
    const limited = metrics.counter(
      'petstore_rate_limited_total',
      'Requests rejected because their key had used up its rate.',
    );
    metrics.on(rateExceeded, () => limited.inc());
  }
}
