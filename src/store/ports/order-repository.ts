import type { Int64, Page, Selection } from '../../kernel/index.js';
import type { OrderStatus } from '../domain/order-status.js';
import type { Order } from '../domain/order.js';

/** Which orders to list. */
export type OrderSelection = Selection<{ readonly status?: OrderStatus; readonly petId?: Int64 }>;

/** What the order service needs from storage. */
export abstract class OrderRepository {
  /** Stores a new order in one step. */
  abstract add(order: Order): Promise<void>;
  abstract find(id: Int64): Promise<Order | undefined>;
  /** One page of the selected orders. It is empty if nothing matches. */
  abstract list(selection: OrderSelection): Promise<Page<Order>>;
  /**
   * Moves one order to its next state in one step, however many callers try at once. If `change` throws, nothing is stored. If
   * another change was faster, `change` is called again with the newer state. @throws OrderNotFound
   */
  abstract change(id: Int64, change: (order: Order) => Order): Promise<Order>;
}
