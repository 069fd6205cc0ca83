import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../kernel/clock.js';
import { Events } from '../kernel/events.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { PetLocks, PetsModule, PetStatusChanged } from '../pets/index.js';
import { SettingsModule } from '../platform/config/settings.module.js';
import { Migrations } from '../platform/database/migrations/migrations.decorator.js';
import { Sequences } from '../platform/database/sequence/sequences.js';
import { VaccinationsController } from './adapters/http/vaccinations.controller.js';
import { ReminderJob } from './adapters/schedule/reminder.job.js';
import { AddReminders } from './adapters/typeorm/add-reminders.migration.js';
import { CreateVaccinations } from './adapters/typeorm/create-vaccinations.migration.js';
import { VaccinationSchema } from './adapters/typeorm/vaccination.schema.js';
import { TypeOrmVaccinationRepository } from './adapters/typeorm/typeorm-vaccination-repository.js';
import { Reminders } from './application/reminders.js';
import { Vaccinations } from './application/vaccinations.js';
import { VaccinationRepository } from './ports/vaccination-repository.js';
import { VaccinationSettings } from './vaccinations.settings.js';

/** The area of vaccinations. */
@Migrations(CreateVaccinations, AddReminders)
@Module({
  imports: [
    PetsModule,
    TypeOrmModule.forFeature([VaccinationSchema]),
    SettingsModule.forFeature(VaccinationSettings),
  ],
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
    {
      provide: Reminders,
      useFactory: (
        repository: VaccinationRepository,
        events: Events,
        units: UnitOfWork,
        clock: Clock,
        { reminderDays }: VaccinationSettings,
      ) => new Reminders(repository, events, units, clock, reminderDays),
      inject: [VaccinationRepository, Events, UnitOfWork, Clock, VaccinationSettings],
    },
    ReminderJob,
  ],
})
export class VaccinationsModule {
  constructor(events: Events, vaccinations: Vaccinations) {
    events.subscribe(PetStatusChanged, 'vaccinations', async ({ id, to }) => {
      if (to === 'sold') await vaccinations.transferOpen(id);
    });
  }
}
