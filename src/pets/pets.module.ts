import { Module } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { Events } from '../kernel/events.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { Migrations } from '../platform/database/migrations.decorator.js';
import { Sequences } from '../platform/database/sequences.js';
import { Sql } from '../platform/database/sql.js';
import { UseCases } from '../platform/tracing/use-cases.decorator.js';
import { DtoPetShape } from './adapters/http/dto-pet-shape.js';
import { PetsController } from './adapters/http/pets.controller.js';
import { CreateImports } from './adapters/typeorm/create-imports.migration.js';
import { CreatePets } from './adapters/typeorm/create-pets.migration.js';
import { TypeOrmImportLedger } from './adapters/typeorm/typeorm-import-ledger.js';
import { TypeOrmPetRepository } from './adapters/typeorm/typeorm-pet-repository.js';
import { PetCatalog } from './application/pet-catalog.js';
import { PetImport } from './application/pet-import.js';
import { ImportLedger } from './ports/import-ledger.js';
import { PetRepository } from './ports/pet-repository.js';
import { PetReservations } from './ports/pet-reservations.js';
import { PetShape } from './ports/pet-shape.js';

/** The catalogue of animals. */
@Migrations(CreatePets, CreateImports)
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
    { provide: PetShape, useClass: DtoPetShape },
    {
      provide: ImportLedger,
      useFactory: (sql: Sql, clock: Clock) => new TypeOrmImportLedger(sql, clock),
      inject: [Sql, Clock],
    },
    {
      provide: PetImport,
      useFactory: (
        pets: PetRepository,
        shape: PetShape,
        sequences: Sequences,
        events: Events,
        units: UnitOfWork,
        ledger: ImportLedger,
      ) => new PetImport({ pets, shape, ids: sequences.of('pets'), events, units, ledger }),
      inject: [PetRepository, PetShape, Sequences, Events, UnitOfWork, ImportLedger],
    },
  ],
  exports: [PetReservations],
})
export class PetsModule {}
