import type { Int64, Properties } from '../../kernel/index.js';
import { InvalidOrderTransition } from './order-errors.js';

/** The statuses that an order can change to. */
export const ORDER_MOVES = ['approved', 'delivered', 'cancelled'] as const;
export const ORDER_STATUSES = ['placed', ...ORDER_MOVES] as const;
export type OrderMove = (typeof ORDER_MOVES)[number];
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The allowed transitions. Delivered and cancelled are final. */
const NEXT: Record<OrderStatus, readonly OrderMove[]> = {
  placed: ['approved', 'delivered', 'cancelled'],
  approved: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
};

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

  static place(id: Int64, { petId }: NewOrder, placedAt: Date): Order {
    return new Order({ id, petId, status: 'placed', placedAt });
  }

  /** Moves the order to its next status. @throws InvalidOrderTransition */
  transitionTo(status: OrderMove): Order {
    if (!NEXT[this.status].includes(status)) throw new InvalidOrderTransition(this.id, this.status, status);
    return new Order({ ...this, status });
  }
}
