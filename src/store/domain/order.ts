import type { Int64, Properties } from '../../kernel/index.js';
import { InvalidOrderTransition } from './order-errors.js';
import { canTransition, type OrderMove, type OrderStatus } from './order-status.js';

/** The data of a new order, from a client. */
export interface NewOrder {
  readonly petId: Int64;
}

/** An order for a pet. Immutable: each method returns the next state of the order. */
export class Order {
  readonly id!: Int64;
  readonly petId!: Int64;
  readonly status!: OrderStatus;
  readonly placedAt!: Date;

  private constructor(properties: Properties<Order>) {
    Object.assign(this, properties);
  }

  /** Creates an order with its id. It is placed at first. */
  static place(id: Int64, { petId }: NewOrder, placedAt: Date): Order {
    return new Order({ id, petId, status: 'placed', placedAt });
  }

  /** Moves the order to its next status. @throws InvalidOrderTransition */
  transitionTo(status: OrderMove): Order {
    if (!canTransition(this.status, status)) throw new InvalidOrderTransition(this.id, this.status, status);
    return new Order({ ...this, status });
  }
}
