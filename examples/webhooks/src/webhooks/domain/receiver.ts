import type { Int64, Properties } from '../../kernel/index.js';
import type { NewReceiver } from './new-receiver.js';

/** A receiver. Immutable: each method returns the next state of the receiver. */
export class Receiver {
  readonly id!: Int64;
  readonly url!: string;
  /** Signs what is sent to this receiver. Both sides know it, so it cannot be stored as a hash. */
  readonly secret!: string;

  private constructor(properties: Properties<Receiver>) {
    Object.assign(this, properties);
  }

  /** Creates a receiver with its id and its secret. */
  static create(id: Int64, newReceiver: NewReceiver, secret: string): Receiver {
    return new Receiver({ ...newReceiver.props, id, secret });
  }
}
