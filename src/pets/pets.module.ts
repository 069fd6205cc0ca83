import { Module } from '@nestjs/common';
import { Events } from '../kernel/events.js';
import { Migrations } from '../platform/database/migrations.decorator.js';
import { Sequences } from '../platform/database/sequences.js';
import { Sql } from '../platform/database/sql.js';
import { UseCases } from '../platform/tracing/use-cases.decorator.js';
import { PetsController } from './adapters/http/pets.controller.js';
import { CreatePets } from './adapters/typeorm/create-pets.migration.js';
import { TypeOrmPetRepository } from './adapters/typeorm/typeorm-pet-repository.js';
import { PetCatalog } from './application/pet-catalog.js';
import { PetRepository } from './ports/pet-repository.js';
import { PetReservations } from './ports/pet-reservations.js';

/** The catalogue of animals. */
@Migrations(CreatePets)
@UseCases(PetCatalog)
@Module({
  controllers: [PetsController],
  providers: [
    { provide: PetRepository, useFactory: (sql: Sql) => new TypeOrmPetRepository(sql), inject: [Sql] },
    {
      provide: PetCatalog,
      useFactory: (pets: PetRepository, sequences: Sequences, events: Events) =>
        new PetCatalog(pets, sequences.of('pets'), events),
      inject: [PetRepository, Sequences, Events],
    },
    { provide: PetReservations, useExisting: PetCatalog },
  ],
  exports: [PetReservations],
})
export class PetsModule {}
