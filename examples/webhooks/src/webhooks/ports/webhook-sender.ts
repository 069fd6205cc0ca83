import type { Receiver } from '../domain/receiver.js';
import type { Webhook } from '../domain/webhook.js';

/** Sends webhooks. */
export abstract class WebhookSender {
  /** Makes one try, until `signal` is aborted at most. @throws Error unless the receiver has accepted the webhook */
  abstract send(
    receiver: Pick<Receiver, 'url' | 'secret'>,
    webhook: Webhook,
    signal: AbortSignal,
  ): Promise<void>;
}
