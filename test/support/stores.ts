import { describe } from 'vitest';
import { MemoryApiKeyRepository } from '../../src/access/adapters/memory/memory-api-key-repository.js';
import { MemoryKeyHistory } from '../../src/access/adapters/memory/memory-key-history.js';
import { CreateApiKeys } from '../../src/access/adapters/typeorm/create-api-keys.migration.js';
import { TypeOrmApiKeyRepository } from '../../src/access/adapters/typeorm/typeorm-api-key-repository.js';
import { TypeOrmKeyHistory } from '../../src/access/adapters/typeorm/typeorm-key-history.js';
import type { ApiKeyRepository } from '../../src/access/ports/api-key-repository.js';
import type { KeyHistory } from '../../src/access/ports/key-history.js';
import type { Clock } from '../../src/kernel/clock.js';
import type { Sequence } from '../../src/kernel/sequence.js';
import type { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import { MemoryPetRepository } from '../../src/pets/adapters/memory/memory-pet-repository.js';
import { CreatePets } from '../../src/pets/adapters/typeorm/create-pets.migration.js';
import { TypeOrmPetRepository } from '../../src/pets/adapters/typeorm/typeorm-pet-repository.js';
import type { PetRepository } from '../../src/pets/ports/pet-repository.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { CreateSequences } from '../../src/platform/database/create-sequences.migration.js';
import { createDataSource, openDataSource } from '../../src/platform/database/data-source.js';
import { Sql } from '../../src/platform/database/sql.js';
import { TypeOrmSequence } from '../../src/platform/database/typeorm-sequence.js';
import { TypeOrmUnitOfWork } from '../../src/platform/database/typeorm-unit-of-work.js';
import { MemorySequence } from '../../src/platform/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../src/platform/memory/memory-unit-of-work.js';
import { SystemClock } from '../../src/platform/system/system-clock.js';
import { MemoryOrderRepository } from '../../src/store/adapters/memory/memory-order-repository.js';
import { CreateOrders } from '../../src/store/adapters/typeorm/create-orders.migration.js';
import { TypeOrmOrderRepository } from '../../src/store/adapters/typeorm/typeorm-order-repository.js';
import type { OrderRepository } from '../../src/store/ports/order-repository.js';
import { onEveryEngine } from './engines.js';

/** Every port's adapter over one store that was empty at first. */
export interface Store {
  readonly pets: PetRepository;
  readonly orders: OrderRepository;
  readonly keys: ApiKeyRepository;
  readonly keyHistory: KeyHistory;
  readonly units: UnitOfWork;
  /** A sequence of its own, as another replica would have it. */
  sequence(clock?: Clock): Sequence;
  close(): Promise<void>;
}

/** Runs a contract over every adapter: in memory, and on each real engine. */
export function overEveryAdapter(contract: (open: () => Promise<Store>) => void): void {
  describe('in memory', () => contract(openMemory));
  onEveryEngine((engine) =>
    contract(async () => {
      const database = await engine.create();
      const store = await openSql(database.url);
      return {
        ...store,
        close: async () => {
          await store.close();
          await database.drop();
        },
      };
    }),
  );
}

const MIGRATIONS = [CreateSequences, CreatePets, CreateApiKeys, CreateOrders];

async function openSql(url: string): Promise<Store> {
  const source = createDataSource(parseDatabaseUrl(url), 20, MIGRATIONS);
  await openDataSource(source);
  await source.runMigrations({ transaction: 'each' });
  const sql = new Sql(source);
  sql.open();
  return {
    pets: new TypeOrmPetRepository(sql),
    orders: new TypeOrmOrderRepository(sql),
    keys: new TypeOrmApiKeyRepository(sql),
    keyHistory: new TypeOrmKeyHistory(sql, new TypeOrmSequence('api_key_events', sql, new SystemClock())),
    units: new TypeOrmUnitOfWork(sql),
    sequence: (clock = new SystemClock()) => new TypeOrmSequence('pets', sql, clock),
    close: () => source.destroy(),
  };
}

function openMemory(): Promise<Store> {
  const units = new MemoryUnitOfWork();
  const sequence = new MemorySequence();
  return Promise.resolve({
    pets: new MemoryPetRepository(units),
    orders: new MemoryOrderRepository(units),
    keys: new MemoryApiKeyRepository(units),
    keyHistory: new MemoryKeyHistory(units),
    units,
    sequence: () => sequence,
    close: () => Promise.resolve(),
  });
}
