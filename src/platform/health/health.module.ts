import { Module } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { DatabaseProbe } from './database-probe.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({
  controllers: [HealthController],
  providers: [
    Readiness,
    { provide: DatabaseProbe, useFactory: (sql: Sql) => new DatabaseProbe(sql), inject: [Sql] },
  ],
  exports: [Readiness],
})
export class HealthModule {}
