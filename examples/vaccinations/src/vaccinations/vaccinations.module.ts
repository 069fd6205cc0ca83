import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock, Events, UnitOfWork } from '../kernel/index.js';
import { PetLocks, PetsModule, PetStatusChanged } from '../pets/index.js';
import { SettingsModule } from '../platform/config/index.js';
import { Migrations, sequence } from '../platform/database/index.js';
import { provide } from '../platform/provide.js';
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
    provide(Vaccinations, VaccinationRepository, PetLocks, sequence('vaccinations'), Events, UnitOfWork),
    provide(Reminders, VaccinationRepository, Events, UnitOfWork, Clock, {
      of: VaccinationSettings,
      take: ({ reminderDays }: VaccinationSettings) => reminderDays,
    }),
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
