import { MemoryPetRepository } from '../../src/pets/adapters/memory/memory-pet-repository.js';
import { CreatePets } from '../../src/pets/adapters/typeorm/create-pets.migration.js';
import { TypeOrmPetRepository } from '../../src/pets/adapters/typeorm/typeorm-pet-repository.js';
import type { PetRepository } from '../../src/pets/ports/pet-repository.js';
import type { Adapters } from './stores.js';

export type Pets = { pets: PetRepository };

/** The storage of animals, for its own contract and for those that need something to store. */
export const petAdapters: Adapters<Pets> = {
  migrations: [CreatePets],
  inMemory: (units) => ({ pets: new MemoryPetRepository(units) }),
  inSql: (sql) => ({ pets: new TypeOrmPetRepository(sql) }),
};
