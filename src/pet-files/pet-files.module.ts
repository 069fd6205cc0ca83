import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UnitOfWork } from '../kernel/index.js';
import { BulkPets, PetShape, PetsModule } from '../pets/index.js';
import { Migrations } from '../platform/database/index.js';
import { Commands } from '../platform/ops/index.js';
import { provide } from '../platform/provide.js';
import { AddRecordsHash } from './adapters/typeorm/add-records-hash.migration.js';
import { CreateImports } from './adapters/typeorm/create-imports.migration.js';
import { ImportSchema, TypeOrmImportLedger } from './adapters/typeorm/typeorm-import-ledger.js';
import { PetImport } from './application/pet-import.js';
import { ImportLedger } from './ports/import-ledger.js';

/** Import and export of files with pets, and made-up pets. */
@Migrations(CreateImports, AddRecordsHash)
@Commands(async (context) => (await import('./adapters/cli/pets.command.js')).petsCommand(context))
@Module({
  imports: [PetsModule, TypeOrmModule.forFeature([ImportSchema])],
  providers: [
    { provide: ImportLedger, useClass: TypeOrmImportLedger },
    provide(PetImport, BulkPets, PetShape, UnitOfWork, ImportLedger),
  ],
})
export class PetFilesModule {}
