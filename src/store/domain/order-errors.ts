import { DomainError } from '../../kernel/domain-error.js';
import type { Int64 } from '../../kernel/int64.js';
import type { OrderStatus } from './order-status.js';

export class OrderNotFound extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'order_not_found';

  constructor() {
    super('No order has this id. Check the id, or list the orders to find it.');
  }
}

export class InvalidOrderTransition extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'invalid_transition';

  constructor(id: Int64, from: OrderStatus, to: OrderStatus) {
    super(`Order ${id} is ${from} and cannot become ${to}.`);
  }
}
