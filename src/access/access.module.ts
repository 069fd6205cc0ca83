import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RandomSource } from '../kernel/random-source.js';
import { Clock } from '../kernel/clock.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { BadConfiguration } from '../platform/config/read-settings.js';
import { Settings } from '../platform/config/settings.js';
import { Migrations } from '../platform/database/migrations/migrations.decorator.js';
import { Sequences } from '../platform/database/sequence/sequences.js';
import { keyLookedUp } from '../platform/http/caller-channels.js';
import { Operators } from '../platform/health/operators.js';
import { CallerNames } from '../platform/http/caller-names.js';
import { RedisConnection } from '../platform/redis/redis-connection.js';
import { isFirstProcess } from '../platform/process/workers.js';
import { KeysCheck } from './adapters/cli/keys-check.js';
import { BearerGuard } from './adapters/http/bearer.guard.js';
import { KeyNames } from './adapters/http/key-names.js';
import { OperatorKeys } from './adapters/http/operator-keys.js';
import { RateGuard } from './adapters/http/rate.guard.js';
import { MemoryRateCounter } from './adapters/memory/memory-rate-counter.js';
import { RedisRateCounter } from './adapters/redis/redis-rate-counter.js';
import { CreateApiKeys } from './adapters/typeorm/create-api-keys.migration.js';
import { ApiKeySchema } from './adapters/typeorm/api-key.schema.js';
import { KeyEventSchema } from './adapters/typeorm/key-event.schema.js';
import { TypeOrmApiKeyRepository } from './adapters/typeorm/typeorm-api-key-repository.js';
import { TypeOrmKeyHistory } from './adapters/typeorm/typeorm-key-history.js';
import { FailedAttempts } from './application/failed-attempts.js';
import { BootstrapKeys } from './application/bootstrap-keys.js';
import { KeyCache } from './application/key-cache.js';
import { ApiKeyService } from './application/api-key-service.js';
import { LastUse } from './application/last-use.js';
import { looksLikeSecret } from './domain/key-secret.js';
import { ApiKeyRepository } from './ports/api-key-repository.js';
import { KeyHistory } from './ports/key-history.js';
import { RateCounter } from './ports/rate-counter.js';

/** Who may use the service, for what, and how much. */
@Migrations(CreateApiKeys)
@Module({
  imports: [TypeOrmModule.forFeature([ApiKeySchema, KeyEventSchema])],
  providers: [
    { provide: ApiKeyRepository, useClass: TypeOrmApiKeyRepository },
    { provide: KeyHistory, useClass: TypeOrmKeyHistory },
    {
      provide: ApiKeyService,
      useFactory: (
        keys: ApiKeyRepository,
        history: KeyHistory,
        units: UnitOfWork,
        sequences: Sequences,
        clock: Clock,
        random: RandomSource,
      ) => {
        const [ids, cache, lastUse] = [
          sequences.of('api_keys'),
          new KeyCache(clock, (outcome) => keyLookedUp.publish(outcome)),
          new LastUse(keys, clock),
        ];
        return new ApiKeyService({ keys, history, units, ids, cache, lastUse, clock, random });
      },
      inject: [ApiKeyRepository, KeyHistory, UnitOfWork, Sequences, Clock, RandomSource],
    },
    {
      provide: BootstrapKeys,
      useFactory: (apiKeys: ApiKeyService, { bootstrapApiKey, production }: Settings) => {
        if (bootstrapApiKey !== undefined && !looksLikeSecret(bootstrapApiKey)) {
          throw new BadConfiguration(
            'BOOTSTRAP_API_KEY: begins like a key of this service, but its check sum is wrong',
          );
        }
        // Of several processes that start together one is enough.
        return new BootstrapKeys(apiKeys, bootstrapApiKey, !production && isFirstProcess());
      },
      inject: [ApiKeyService, Settings],
    },
    {
      provide: RedisConnection,
      useFactory: ({ redisUrl }: Settings) => redisUrl && new RedisConnection(redisUrl),
      inject: [Settings],
    },
    {
      provide: RateCounter,
      useFactory: (redis: RedisConnection | undefined) =>
        redis ? new RedisRateCounter(redis.client) : new MemoryRateCounter(),
      inject: [RedisConnection],
    },
    { provide: FailedAttempts, useFactory: (clock: Clock) => new FailedAttempts(clock), inject: [Clock] },
    {
      provide: KeysCheck,
      useFactory: (apiKeys: ApiKeyService, clock: Clock) => new KeysCheck(apiKeys, clock),
      inject: [ApiKeyService, Clock],
    },
    {
      provide: Operators,
      useFactory: (apiKeys: ApiKeyService, { bootstrapApiKey }: Settings) =>
        new OperatorKeys(apiKeys, bootstrapApiKey),
      inject: [ApiKeyService, Settings],
    },
    {
      provide: CallerNames,
      useFactory: (apiKeys: ApiKeyService) => new KeyNames(apiKeys),
      inject: [ApiKeyService],
    },
    BearerGuard,
    RateGuard,
  ],
  exports: [BearerGuard, BootstrapKeys, ApiKeyService, RateGuard],
})
export class AccessModule {}
