import type { Int64 } from '../../kernel/int64.js';
import type { Properties } from '../../kernel/properties.js';
import { InvalidOrderTransition } from './order-errors.js';
import { canTransition, type OrderStatus } from './order-status.js';

/** What a client orders. */
export interface NewOrder {
  readonly petId: Int64;
}

/** The stored properties of an order. */
export type OrderProps = Properties<Order>;

/** An order for a pet. Immutable: each method returns the next state of the order. */
export class Order {
  readonly id: Int64;
  readonly petId: Int64;
  readonly status: OrderStatus;
  /** In milliseconds since 1970. */
  readonly placedAt: number;

  private constructor(props: OrderProps) {
    this.id = props.id;
    this.petId = props.petId;
    this.status = props.status;
    this.placedAt = props.placedAt;
  }

  static place(id: Int64, order: NewOrder, now: number): Order {
    return new Order({ ...order, id, status: 'placed', placedAt: now });
  }

  static restore(props: OrderProps): Order {
    return new Order(props);
  }

  /** Moves the order to its next status. @throws InvalidOrderTransition */
  transitionTo(status: OrderStatus): Order {
    if (!canTransition(this.status, status)) throw new InvalidOrderTransition(this.id, this.status, status);
    return new Order({ ...this, status });
  }
}
