import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock, Events, RandomSource } from '../kernel/index.js';
import { PetsModule, PetStatusChanged } from '../pets/index.js';
import { SettingsModule } from '../platform/config/index.js';
import { Migrations, sequence } from '../platform/database/index.js';
import { provide } from '../platform/provide.js';
import { ReceiversController } from './adapters/http/receivers.controller.js';
import { HttpWebhookSender } from './adapters/outbound/http-webhook-sender.js';
import { CreateReceivers } from './adapters/typeorm/create-receivers.migration.js';
import { ReceiverSchema } from './adapters/typeorm/receiver.schema.js';
import { TypeOrmReceiverRepository } from './adapters/typeorm/typeorm-receiver-repository.js';
import { Receivers } from './application/receivers.js';
import { Webhooks } from './application/webhooks.js';
import { WebhookDue } from './domain/webhook-events.js';
import { ReceiverRepository } from './ports/receiver-repository.js';
import { WebhookSender } from './ports/webhook-sender.js';
import { WebhookSettings } from './webhooks.settings.js';

/** The area of webhooks. */
@Migrations(CreateReceivers)
@Module({
  imports: [
    PetsModule,
    TypeOrmModule.forFeature([ReceiverSchema]),
    SettingsModule.forFeature(WebhookSettings),
  ],
  controllers: [ReceiversController],
  providers: [
    { provide: ReceiverRepository, useClass: TypeOrmReceiverRepository },
    { provide: WebhookSender, useClass: HttpWebhookSender },
    provide(Receivers, ReceiverRepository, sequence('receivers'), RandomSource, {
      of: WebhookSettings,
      take: ({ allowsInternal }: WebhookSettings) => allowsInternal,
    }),
    provide(Webhooks, ReceiverRepository, WebhookSender, Events, Clock),
  ],
})
export class WebhooksModule {
  constructor(events: Events, webhooks: Webhooks) {
    events.subscribe(PetStatusChanged, 'webhooks', async ({ id, to }) => {
      if (to === 'sold') await webhooks.announceSale(id);
    });
    events.subscribeOutbound(WebhookDue, 'webhook-sending', ({ id, petId, recordedAt }, delivery) =>
      webhooks.deliver(id, petId, recordedAt, delivery),
    );
  }
}
