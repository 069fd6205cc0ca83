import { MemoryPetRepository } from '../memory/memory-pet-repository.js';
import { BatchedPetRepository } from '../../../src/pets/adapters/typeorm/batched-pet-repository.js';
import { PetsModule } from '../../../src/pets/index.js';
import { migrationsOfModule } from '../../../src/platform/database/migrations/migrations.decorator.js';
import { PetSchema } from '../../../src/pets/adapters/typeorm/pet.schema.js';
import { TypeOrmPetRepository } from '../../../src/pets/adapters/typeorm/typeorm-pet-repository.js';
import { Pet } from '../../../src/pets/domain/pet.js';
import type { PetRepository } from '../../../src/pets/ports/pet-repository.js';
import type { Adapters } from '../stores.js';

export type Pets = { pets: PetRepository };

/** The storage of pets, for its own contract and for contracts that need rows to store. */
export const petAdapters: Adapters<Pets> = {
  migrations: migrationsOfModule(PetsModule),
  schemas: [PetSchema],
  inMemory: (units) => ({ pets: new MemoryPetRepository(units) }),
  inTypeOrm: (source) => ({ pets: new TypeOrmPetRepository(source.getRepository(Pet)) }),
};

/** The same wrapped in the batching repository, as in the service. */
export const batchedPetAdapters: Adapters<Pets> = {
  ...petAdapters,
  inTypeOrm: (source) => ({
    pets: new BatchedPetRepository(new TypeOrmPetRepository(source.getRepository(Pet)), source),
  }),
};
