import { Module } from '@nestjs/common';
import { Chance } from '../kernel/chance.js';
import { Clock } from '../kernel/clock.js';
import { BadConfiguration } from '../platform/config/read-settings.js';
import { Settings } from '../platform/config/settings.js';
import { Migrations } from '../platform/database/migrations.decorator.js';
import { Sequences } from '../platform/database/sequences.js';
import { Sql } from '../platform/database/sql.js';
import { BearerGuard } from './adapters/http/bearer.guard.js';
import { CreateApiKeys } from './adapters/typeorm/create-api-keys.migration.js';
import { TypeOrmApiKeyRepository } from './adapters/typeorm/typeorm-api-key-repository.js';
import { FirstKeys } from './application/first-keys.js';
import { KeyCache } from './application/key-cache.js';
import { KeyRing } from './application/key-ring.js';
import { looksLikeSecret } from './domain/key-secret.js';
import { ApiKeyRepository } from './ports/api-key-repository.js';

/** Who may use the service. */
@Migrations(CreateApiKeys)
@Module({
  providers: [
    { provide: ApiKeyRepository, useFactory: (sql: Sql) => new TypeOrmApiKeyRepository(sql), inject: [Sql] },
    {
      provide: KeyRing,
      useFactory: (keys: ApiKeyRepository, sequences: Sequences, clock: Clock, chance: Chance) =>
        new KeyRing(keys, sequences.of('api_keys'), new KeyCache(clock), clock, chance),
      inject: [ApiKeyRepository, Sequences, Clock, Chance],
    },
    {
      provide: FirstKeys,
      useFactory: (keyRing: KeyRing, { bootstrapApiKey, production }: Settings) => {
        if (bootstrapApiKey !== undefined && !looksLikeSecret(bootstrapApiKey)) {
          throw new BadConfiguration(
            'BOOTSTRAP_API_KEY: begins like a key of this service, but its check sum is wrong',
          );
        }
        return new FirstKeys(keyRing, bootstrapApiKey, production);
      },
      inject: [KeyRing, Settings],
    },
    BearerGuard,
  ],
  exports: [BearerGuard, FirstKeys, KeyRing],
})
export class AccessModule {}
