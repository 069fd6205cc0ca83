import type { OrderStatus } from './order-status.js';

export interface Order {
  readonly status: OrderStatus;
}
