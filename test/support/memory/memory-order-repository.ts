import type { Int64 } from '../../../src/kernel/int64.js';
import type { Page } from '../../../src/kernel/page.js';
import { MemoryUnitOfWork } from './memory-unit-of-work.js';
import { selectedPage } from './selected.js';
import { OrderNotFound } from '../../../src/store/domain/order-errors.js';
import type { Order } from '../../../src/store/domain/order.js';
import { OrderRepository, type OrderSelection } from '../../../src/store/ports/order-repository.js';

/** Keeps orders in memory, for tests that need no database. */
export class MemoryOrderRepository extends OrderRepository {
  readonly #orders: Map<Int64, Order>;

  constructor(private readonly units = new MemoryUnitOfWork()) {
    super();
    this.#orders = units.table();
  }

  override add(order: Order): Promise<void> {
    return this.units.run(async () => {
      if (this.#orders.has(order.id)) throw new Error(`Id ${order.id} is taken.`);
      this.#orders.set(order.id, order);
    });
  }

  override find(id: Int64): Promise<Order | undefined> {
    return this.units.run(async () => this.#orders.get(id));
  }

  override list(selection: OrderSelection): Promise<Page<Order>> {
    return this.units.run(async () => selectedPage(this.#orders.values(), selection));
  }

  override change(id: Int64, change: (order: Order) => Order): Promise<Order> {
    return this.units.run(async () => {
      const order = this.#orders.get(id);
      if (!order) throw new OrderNotFound();
      const changed = change(order);
      this.#orders.set(id, changed);
      return changed;
    });
  }
}
