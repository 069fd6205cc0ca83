import type { Int64 } from '../../kernel/int64.js';
import { InvalidOrderTransition } from './order-errors.js';
import { canTransition, type OrderStatus } from './order-status.js';

/** The properties of an order, as they were stored. `placedAt` is in milliseconds since 1970. */
export interface OrderProps {
  readonly id: Int64;
  readonly petId: Int64;
  readonly status: OrderStatus;
  readonly placedAt: number;
}

/** An order for a pet. Immutable: each act returns the order as it is afterwards. */
export class Order {
  private constructor(
    readonly id: Int64,
    readonly petId: Int64,
    readonly status: OrderStatus,
    readonly placedAt: number,
  ) {}

  /** A new order for a pet. */
  static place(id: Int64, petId: Int64, now: number): Order {
    return new Order(id, petId, 'placed', now);
  }

  /** Restores a stored order. */
  static restore({ id, petId, status, placedAt }: OrderProps): Order {
    return new Order(id, petId, status, placedAt);
  }

  /** Moves the order to its next status. @throws InvalidOrderTransition */
  transitionTo(status: OrderStatus): Order {
    if (!canTransition(this.status, status)) throw new InvalidOrderTransition(this.id, this.status, status);
    return new Order(this.id, this.petId, status, this.placedAt);
  }
}
