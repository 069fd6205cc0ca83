import type { Clock, Delivery, Events, Int64 } from '../../kernel/index.js';
import { WebhookDue } from '../domain/webhook-events.js';
import { petSold } from '../domain/webhook.js';
import type { ReceiverRepository } from '../ports/receiver-repository.js';
import type { WebhookSender } from '../ports/webhook-sender.js';

/** Tells all receivers which pets were sold. */
export class Webhooks {
  constructor(
    private readonly receivers: ReceiverRepository,
    private readonly sender: WebhookSender,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** Records an event for each receiver. Belongs to the unit of work of the event of the pet. */
  async announceSale(petId: Int64): Promise<void> {
    const recordedAt = new Date(this.clock.now());
    await this.events.record(WebhookDue, async () => {
      const ids = await this.receivers.ids();
      return ids.map((id) => ({ id, petId, recordedAt }));
    });
  }

  /** Sends the webhook of an event, unless its receiver was deleted. */
  async deliver(receiverId: Int64, petId: Int64, recordedAt: Date, { id, signal }: Delivery): Promise<void> {
    const receiver = await this.receivers.find(receiverId);
    if (receiver) await this.sender.send(receiver, petSold(`msg_${id}`, petId, recordedAt), signal);
  }
}
