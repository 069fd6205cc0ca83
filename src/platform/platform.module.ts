import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Chance } from '../kernel/chance.js';
import { Clock } from '../kernel/clock.js';
import { Settings } from './config/settings.js';
import { DatabaseModule } from './database/database.module.js';
import { DoctorModule } from './doctor/doctor.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { SystemChance } from './system/system-chance.js';
import { SystemClock } from './system/system-clock.js';
import { TracingModule } from './tracing/tracing.module.js';

/** What every module stands on: settings, clock, chance, database, events, HTTP. */
@Global()
@Module({})
export class PlatformModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: PlatformModule,
      imports: [DatabaseModule, EventsModule, HttpModule, HealthModule, DoctorModule, TracingModule],
      providers: [
        { provide: Settings, useValue: settings },
        { provide: Clock, useClass: SystemClock },
        { provide: Chance, useClass: SystemChance },
      ],
      exports: [Settings, Clock, Chance],
    };
  }
}
