import { Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { Migrations } from '../database/migrations/migrations.decorator.js';
import { Sequences } from '../database/sequence/sequences.js';
import { CreateOutbox } from './create-outbox.migration.js';
import { Delivery } from './delivery.js';
import { Outbox } from './outbox.js';
import { OutboxCheck } from './outbox-check.js';
import { OutboxRows } from './outbox-rows.js';
import { OutboxSchema } from './outbox.schema.js';
import { Postman } from './postman.js';
import { TypeOrmOutboxRows } from './typeorm-outbox-rows.js';

/** Events between modules. */
@Global()
@Migrations(CreateOutbox)
@Module({
  imports: [TypeOrmModule.forFeature([OutboxSchema])],
  providers: [
    { provide: OutboxRows, useClass: TypeOrmOutboxRows },
    {
      provide: Outbox,
      useFactory: (rows: OutboxRows, sequences: Sequences, units: UnitOfWork, clock: Clock) =>
        new Outbox(rows, sequences.of('outbox'), units, clock),
      inject: [OutboxRows, Sequences, UnitOfWork, Clock],
    },
    { provide: Events, useExisting: Outbox },
    {
      provide: Delivery,
      useFactory: (outbox: Outbox, rows: OutboxRows, units: UnitOfWork, clock: Clock) => {
        const log = new Logger('Events');
        return new Delivery(outbox, rows, units, clock, (message) => log.warn(message));
      },
      inject: [Outbox, OutboxRows, UnitOfWork, Clock],
    },
    Postman,
    {
      provide: OutboxCheck,
      useFactory: (rows: OutboxRows, clock: Clock) => new OutboxCheck(rows, clock),
      inject: [OutboxRows, Clock],
    },
  ],
  exports: [Events, OutboxRows],
})
export class EventsModule {}
