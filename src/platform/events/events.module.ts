import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Events } from '../../kernel/events.js';
import { Migrations } from '../database/migrations/migrations.decorator.js';
import { CreateOutbox } from './create-outbox.migration.js';
import { Outbox } from './outbox.js';
import { OutboxRepository } from './outbox-repository.js';
import { OutboxSchema } from './outbox.schema.js';

@Global()
@Migrations(CreateOutbox)
@Module({
  imports: [TypeOrmModule.forFeature([OutboxSchema])],
  providers: [OutboxRepository, Outbox, { provide: Events, useExisting: Outbox }],
  exports: [Events, OutboxRepository],
})
export class EventsModule {}
