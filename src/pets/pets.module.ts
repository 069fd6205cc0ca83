import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Events } from '../kernel/events.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { Commands } from '../platform/ops/cli/commands.decorator.js';
import { SettingsModule } from '../platform/config/settings.module.js';
import { Migrations } from '../platform/database/migrations/migrations.decorator.js';
import { sequence } from '../platform/database/sequence/sequences.js';
import { provide } from '../platform/provide.js';
import { petsCommand } from './adapters/cli/pets.command.js';
import { DtoPetShape } from './adapters/http/pet.dto.js';
import { PetsController } from './adapters/http/pets.controller.js';
import { BatchedPetRepository } from './adapters/typeorm/batched-pet-repository.js';
import { CreateImports } from './adapters/typeorm/create-imports.migration.js';
import { CreatePets } from './adapters/typeorm/create-pets.migration.js';
import { ImportSchema } from './adapters/typeorm/import.schema.js';
import { OldImports } from './adapters/typeorm/old-imports.js';
import { PetSchema } from './adapters/typeorm/pet.schema.js';
import { TypeOrmImportLedger } from './adapters/typeorm/typeorm-import-ledger.js';
import { TypeOrmPetRepository } from './adapters/typeorm/typeorm-pet-repository.js';
import { PetCatalog } from './application/pet-catalog.js';
import { PetImport } from './application/pet-import.js';
import { ImportLedger } from './ports/import-ledger.js';
import { PetLocks } from './ports/pet-locks.js';
import { PetRepository } from './ports/pet-repository.js';
import { PetReservations } from './ports/pet-reservations.js';
import { PetShape } from './ports/pet-shape.js';
import { PetSettings } from './pets.settings.js';

/** The catalogue of pets. */
@Migrations(CreatePets, CreateImports)
@Commands(petsCommand)
@Module({
  imports: [TypeOrmModule.forFeature([PetSchema, ImportSchema]), SettingsModule.forFeature(PetSettings)],
  controllers: [PetsController],
  providers: [
    TypeOrmPetRepository,
    OldImports,
    { provide: PetRepository, useClass: BatchedPetRepository },
    provide(PetCatalog, PetRepository, sequence('pets'), Events),
    { provide: PetReservations, useExisting: PetCatalog },
    { provide: PetLocks, useExisting: PetCatalog },
    { provide: PetShape, useClass: DtoPetShape },
    { provide: ImportLedger, useClass: TypeOrmImportLedger },
    provide(PetImport, PetRepository, PetShape, sequence('pets'), Events, UnitOfWork, ImportLedger),
  ],
  exports: [PetReservations, PetLocks],
})
export class PetsModule {}
