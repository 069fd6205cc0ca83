import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../kernel/clock.js';
import { RandomSource } from '../kernel/random-source.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { Commands } from '../platform/cli/commands.decorator.js';
import { BadConfiguration, Settings } from '../platform/config/settings.js';
import { SettingsModule } from '../platform/config/settings.module.js';
import { Migrations } from '../platform/database/migrations/migrations.decorator.js';
import { Sequences } from '../platform/database/sequence/sequences.js';
import { Operators } from '../platform/health/readiness.js';
import { keyLookedUp } from '../platform/http/http-channels.js';
import { Metrics } from '../platform/observability/metrics/metrics.js';
import { isFirstProcess } from '../platform/process/workers.js';
import { keysCommand } from './adapters/cli/keys.command.js';
import { BearerGuard } from './adapters/http/bearer.guard.js';
import { CredentialCheck } from './adapters/http/credential-check.js';
import { OperatorKeys } from './adapters/http/operator-keys.js';
import { RateGuard } from './adapters/http/rate.guard.js';
import { WaitingRequests } from './adapters/http/waiting-requests.js';
import { RedisConnection, RedisRateCounter } from './adapters/redis/redis-rate-counter.js';
import { ApiKeySchema } from './adapters/typeorm/api-key.schema.js';
import { CreateApiKeys } from './adapters/typeorm/create-api-keys.migration.js';
import { KeyEventSchema } from './adapters/typeorm/key-event.schema.js';
import { OldKeyEvents } from './adapters/typeorm/old-key-events.js';
import { TypeOrmApiKeyRepository } from './adapters/typeorm/typeorm-api-key-repository.js';
import { TypeOrmKeyHistory } from './adapters/typeorm/typeorm-key-history.js';
import { ApiKeyService } from './application/api-key-service.js';
import { BootstrapKeys } from './application/bootstrap-keys.js';
import { FailedAttempts } from './application/failed-attempts.js';
import { KeyCache } from './application/key-cache.js';
import { LastUse } from './application/last-use.js';
import { looksLikeSecret } from './domain/key-secret.js';
import { AccessSettings } from './access.settings.js';
import { ApiKeyRepository } from './ports/api-key-repository.js';
import { KeyHistory } from './ports/key-history.js';
import { RateCounter } from './ports/rate-counter.js';

/** API keys: authentication, scopes and rates. */
@Global()
@Migrations(CreateApiKeys)
@Commands(keysCommand)
@Module({
  imports: [
    TypeOrmModule.forFeature([ApiKeySchema, KeyEventSchema]),
    SettingsModule.forFeature(AccessSettings),
  ],
  providers: [
    { provide: ApiKeyRepository, useClass: TypeOrmApiKeyRepository },
    { provide: KeyHistory, useClass: TypeOrmKeyHistory },
    { provide: RateCounter, useClass: RedisRateCounter },
    { provide: Operators, useClass: OperatorKeys },
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
        const cache = new KeyCache(clock, (outcome) => keyLookedUp.publish(outcome));
        const lastUse = new LastUse(keys, clock);
        const ids = sequences.of('api_keys');
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
    { provide: FailedAttempts, useFactory: (clock: Clock) => new FailedAttempts(clock), inject: [Clock] },
    CredentialCheck,
    WaitingRequests,
    BearerGuard,
    RateGuard,
    OldKeyEvents,
    RedisConnection,
  ],
  exports: [BearerGuard, BootstrapKeys, ApiKeyService, Operators, RateGuard],
})
export class AccessModule {
  constructor(metrics: Metrics, apiKeys: ApiKeyService) {
    metrics.queriedGauge(
      'petstore_keys_ending',
      'Valid keys that expire within 14 days and were not rotated.',
      async (gauge) => gauge.set(await apiKeys.countEnding()),
      { aggregator: 'max' },
    );
  }
}
