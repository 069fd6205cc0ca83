import type { Int64 } from '../../kernel/int64.js';
import { InvalidOrderTransition } from './order-errors.js';
import { mayBecome, type OrderStatus } from './order-status.js';

/** The facts of an order, as they were stored. `placedAt` is in milliseconds since 1970. */
export interface OrderFacts {
  readonly id: Int64;
  readonly petId: Int64;
  readonly status: OrderStatus;
  readonly placedAt: number;
}

/** Somebody's wish to have an animal. It never changes: each act answers with the order as it is afterwards. */
export class Order {
  private constructor(
    readonly id: Int64,
    readonly petId: Int64,
    readonly status: OrderStatus,
    readonly placedAt: number,
  ) {}

  /** A new order for an animal. */
  static place(id: Int64, petId: Int64, now: number): Order {
    return new Order(id, petId, 'placed', now);
  }

  /** Remembers a stored order. */
  static restore({ id, petId, status, placedAt }: OrderFacts): Order {
    return new Order(id, petId, status, placedAt);
  }

  /** Goes on in the life of an order. @throws InvalidOrderTransition */
  become(status: OrderStatus): Order {
    if (!mayBecome(this.status, status)) throw new InvalidOrderTransition(this.id, this.status, status);
    return new Order(this.id, this.petId, status, this.placedAt);
  }
}
