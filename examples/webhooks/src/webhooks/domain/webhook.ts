import type { Int64 } from '../../kernel/index.js';

/** What is sent to a receiver. It is the same in each try. */
export interface Webhook {
  /** The receiver recognises a webhook that is repeated by its id. */
  readonly id: string;
  readonly payload: {
    readonly type: string;
    /** When the event was recorded. */
    readonly timestamp: Date;
    readonly data: object;
  };
}

export const petSold = (id: string, petId: Int64, timestamp: Date): Webhook => ({
  id,
  payload: { type: 'pet.sold', timestamp, data: { petId } },
});
