import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Events } from '../kernel/index.js';
import { Migrations, sequence } from '../platform/database/index.js';
import { provide } from '../platform/provide.js';
import { DtoPetShape } from './adapters/http/pet.dto.js';
import { PetsController } from './adapters/http/pets.controller.js';
import { BatchedPetRepository } from './adapters/typeorm/batched-pet-repository.js';
import { CreatePets } from './adapters/typeorm/create-pets.migration.js';
import { PetSchema } from './adapters/typeorm/pet.schema.js';
import { TypeOrmPetRepository } from './adapters/typeorm/typeorm-pet-repository.js';
import { PetCatalog } from './application/pet-catalog.js';
import { BulkPets } from './ports/bulk-pets.js';
import { PetLocks } from './ports/pet-locks.js';
import { PetRepository } from './ports/pet-repository.js';
import { PetReservations } from './ports/pet-reservations.js';
import { PetShape } from './ports/pet-shape.js';

/** The catalogue of pets. */
@Migrations(CreatePets)
@Module({
  imports: [TypeOrmModule.forFeature([PetSchema])],
  controllers: [PetsController],
  providers: [
    TypeOrmPetRepository,
    { provide: PetRepository, useClass: BatchedPetRepository },
    provide(PetCatalog, PetRepository, sequence('pets'), Events),
    { provide: PetReservations, useExisting: PetCatalog },
    { provide: PetLocks, useExisting: PetCatalog },
    { provide: BulkPets, useExisting: PetCatalog },
    { provide: PetShape, useClass: DtoPetShape },
  ],
  exports: [PetReservations, PetLocks, BulkPets, PetShape],
})
export class PetsModule {}
