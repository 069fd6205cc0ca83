import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Events } from '../../kernel/events.js';
import { Migrations } from '../database/migrations/migrations.decorator.js';
import { Metrics } from '../observability/metrics/metrics.js';
import { AddSetAsideAt } from './add-set-aside-at.migration.js';
import { CreateOutbox } from './create-outbox.migration.js';
import { Outbox } from './outbox.js';
import { OutboxRepository } from './outbox-repository.js';
import { OutboxSchema } from './outbox.schema.js';

@Global()
@Migrations(CreateOutbox, AddSetAsideAt)
@Module({
  imports: [TypeOrmModule.forFeature([OutboxSchema])],
  providers: [OutboxRepository, Outbox, { provide: Events, useExisting: Outbox }],
  exports: [Events, OutboxRepository],
})
export class EventsModule {
  constructor(metrics: Metrics, outbox: Outbox) {
    metrics.queriedGauge(
      'petstore_outbox_waiting',
      'Events waiting for a subscriber. No sample while the database cannot be asked.',
      async (gauge) => {
        const backlog = await outbox.backlog();
        for (const subscriber of outbox.subscribers) gauge.set({ subscriber }, 0);
        for (const { subscriber, waiting } of backlog) gauge.set({ subscriber }, waiting);
      },
      { labelNames: ['subscriber'] },
    );
    metrics.queriedGauge(
      'petstore_outbox_set_aside',
      'Events that an outbound subscriber could not deliver in its last try.',
      async (gauge) => {
        for (const { subscriber, setAside } of await outbox.backlog()) gauge.set({ subscriber }, setAside);
      },
      { labelNames: ['subscriber'] },
    );
  }
}
