import { EventType, type Int64 } from '../../kernel/index.js';

/**
 * A receiver must be told that a pet was sold. `id` is the id of the receiver, so receivers do not wait for each other. The event of
 * the pet does not have a time, so `recordedAt` is the time of this event.
 */
export const WebhookDue = new EventType<{ id: Int64; petId: Int64; recordedAt: Date }>(
  'webhook',
  'WebhookDue',
);
