import { DomainError, type Int64 } from '../../kernel/index.js';
import type { OrderMove, OrderStatus } from './order-status.js';

export class OrderNotFound extends DomainError {
  static readonly kind = 'not_found';
  static readonly code = 'order_not_found';
  static readonly meaning = 'No order has this id.';
  static readonly remedy = 'Check the id, or list the orders to find it.';
}

export class InvalidOrderTransition extends DomainError {
  static readonly kind = 'conflict';
  static readonly code = 'invalid_transition';
  static readonly meaning = 'The order cannot change to this status.';
  static readonly remedy =
    'Get the order again (`GET /store/orders/{orderId}`); `delivered` and `cancelled` are final.';

  constructor(id: Int64, from: OrderStatus, to: OrderMove) {
    super(`Order ${id} is ${from} and cannot become ${to}.`);
  }
}
