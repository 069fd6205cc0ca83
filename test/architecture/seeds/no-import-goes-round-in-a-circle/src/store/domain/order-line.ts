import type { Order } from './order.js';

export interface OrderLine {
  readonly order: Order;
}
