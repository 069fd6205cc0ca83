import { Logger, Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DatabaseProbe } from './database-probe.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';
import { ReadinessWatch } from './readiness-watch.js';

@Module({
  controllers: [HealthController],
  providers: [
    Readiness,
    DatabaseProbe,
    {
      provide: ReadinessWatch,
      useFactory: (clock: Clock) => {
        const log = new Logger('Readiness');
        return new ReadinessWatch(clock, (message) => log.warn(message));
      },
      inject: [Clock],
    },
  ],
  exports: [Readiness],
})
export class HealthModule {}
