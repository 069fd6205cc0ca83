import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Events } from '../kernel/events.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { PetLocks, PetsModule, PetStatusChanged } from '../pets/index.js';
import { Migrations } from '../platform/database/migrations/migrations.decorator.js';
import { Sequences } from '../platform/database/sequence/sequences.js';
import { UseCases } from '../platform/observability/tracing/use-cases.js';
import { VaccinationsController } from './adapters/http/vaccinations.controller.js';
import { CreateVaccinations } from './adapters/typeorm/create-vaccinations.migration.js';
import { VaccinationSchema } from './adapters/typeorm/vaccination.schema.js';
import { TypeOrmVaccinationRepository } from './adapters/typeorm/typeorm-vaccination-repository.js';
import { Vaccinations } from './application/vaccinations.js';
import { VaccinationAdded } from './domain/vaccination-events.js';
import { VaccinationRepository } from './ports/vaccination-repository.js';

/** The area of vaccinations. */
@Migrations(CreateVaccinations)
@UseCases(Vaccinations)
@Module({
  imports: [PetsModule, TypeOrmModule.forFeature([VaccinationSchema])],
  controllers: [VaccinationsController],
  providers: [
    { provide: VaccinationRepository, useClass: TypeOrmVaccinationRepository },
    {
      provide: Vaccinations,
      useFactory: (
        repository: VaccinationRepository,
        pets: PetLocks,
        sequences: Sequences,
        events: Events,
        units: UnitOfWork,
      ) => new Vaccinations(repository, pets, sequences.of('vaccinations'), events, units),
      inject: [VaccinationRepository, PetLocks, Sequences, Events, UnitOfWork],
    },
  ],
})
export class VaccinationsModule {
  constructor(events: Events, vaccinations: Vaccinations) {
    events.retell(VaccinationAdded, (after, limit) => vaccinations.retell(after, limit));
    events.subscribe(PetStatusChanged, 'vaccinations', async ({ id, to }) => {
      if (to === 'sold') await vaccinations.transferOpen(id);
    });
  }
}
