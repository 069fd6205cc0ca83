import { randomBytes } from 'node:crypto';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { RandomSource } from '../kernel/random-source.js';
import { Clock } from '../kernel/clock.js';
import { Settings } from './config/settings.js';
import { DatabaseModule } from './database/database.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthController } from './ops/health/health.controller.js';
import { HealthCheck } from './ops/health/health-check.js';
import { Readiness } from './ops/health/readiness.js';
import { HttpModule } from './http/http.module.js';
import { Timers } from './ops/process/timers.js';
import { RequestLog } from './observability/logging/request-log.js';
import { Metrics } from './observability/metrics/metrics.js';
import { MetricsServer } from './observability/metrics/metrics-server.js';

const CLOCK: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
const RANDOM_SOURCE: RandomSource = { bytes: (count) => randomBytes(count) };

/** The infrastructure of all modules: settings, clock, random source, database, events, HTTP. */
@Global()
@Module({})
export class PlatformModule {
  /** @throws Error if a module imports the scheduler as well, because both would run all jobs. */
  constructor(modules: ModulesContainer) {
    const schedulers = [...modules.values()].filter(({ metatype }) => metatype === ScheduleModule);
    if (schedulers.length > 1)
      throw new Error(
        'ScheduleModule.forRoot() is imported twice. The service imports it for all modules: leave it out of yours.',
      );
  }

  /** `isService`: whether methods with `@Cron` and `@Interval` are called. In a command they are not. */
  static with(settings: Settings, isService: boolean): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ...(isService ? [ScheduleModule.forRoot()] : []),
        // For modules that use `ConfigService` or register settings of their own; the platform uses `Settings`.
        ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true }),
        DiscoveryModule,
        DatabaseModule,
        EventsModule,
        HttpModule,
      ],
      controllers: [HealthController],
      providers: [
        Readiness,
        HealthCheck,
        { provide: Settings, useValue: settings },
        { provide: Clock, useValue: CLOCK },
        { provide: RandomSource, useValue: RANDOM_SOURCE },
        Metrics,
        MetricsServer,
        RequestLog,
        Timers,
      ],
      exports: [Settings, Clock, RandomSource, Readiness, HealthCheck, Metrics],
    };
  }
}
