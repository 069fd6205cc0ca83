import { MemoryPetRepository } from '../memory/memory-pet-repository.js';
import { BatchedPetRepository } from '../../../src/pets/adapters/typeorm/batched-pet-repository.js';
import { PetsModule } from '../../../src/pets/index.js';
import { type JoiningDataSource, migrationsOfModule } from '../../../src/platform/database/index.js';
import { TypeOrmSequence } from '../rooms/database.js';
import { AddSetAsideAt } from '../../../src/platform/events/add-set-aside-at.migration.js';
import { CreateOutbox } from '../../../src/platform/events/create-outbox.migration.js';
import { OutboxRepository } from '../../../src/platform/events/outbox-repository.js';
import { OutboxSchema } from '../../../src/platform/events/outbox.schema.js';
import { PetSchema } from '../../../src/pets/adapters/typeorm/pet.schema.js';
import { TypeOrmPetRepository } from '../../../src/pets/adapters/typeorm/typeorm-pet-repository.js';
import { Pet } from '../../../src/pets/domain/pet.js';
import type { PetRepository } from '../../../src/pets/ports/pet-repository.js';
import { eventsOver, memoryEvents } from '../events.js';
import type { Adapters } from '../stores.js';

export type Pets = { pets: PetRepository; outbox: ReturnType<typeof eventsOver> };

const outboxOf = (source: JoiningDataSource) =>
  eventsOver(
    new OutboxRepository(source.getRepository(OutboxSchema)),
    new TypeOrmSequence('outbox', source),
    source,
  );

/** The storage of pets, for its own contract and for contracts that need rows to store. */
export const petAdapters: Adapters<Pets> = {
  migrations: [...migrationsOfModule(PetsModule), CreateOutbox, AddSetAsideAt],
  schemas: [PetSchema, OutboxSchema],
  inMemory: (units) => {
    const outbox = memoryEvents(units);
    return { outbox, pets: new MemoryPetRepository(units) };
  },
  inTypeOrm: (source) => {
    const outbox = outboxOf(source);
    return { outbox, pets: new TypeOrmPetRepository(source.getRepository(Pet)) };
  },
};

/** The same wrapped in the batching repository, as in the service. */
export const batchedPetAdapters: Adapters<Pets> = {
  ...petAdapters,
  inTypeOrm: (source) => {
    const outbox = outboxOf(source);
    const plain = new TypeOrmPetRepository(source.getRepository(Pet));
    return { outbox, pets: new BatchedPetRepository(plain, source) };
  },
};
