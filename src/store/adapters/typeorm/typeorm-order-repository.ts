import type { Int64 } from '../../../kernel/int64.js';
import { Rows } from '../../../platform/database/rows.js';
import type { Sql } from '../../../platform/database/sql.js';
import { OrderNotFound } from '../../domain/order-errors.js';
import type { Order } from '../../domain/order.js';
import { OrderRepository, type OrderSelection } from '../../ports/order-repository.js';
import { orderFrom, type OrderRow, ORDERS, valuesOf } from './order.row.js';

/** Keeps orders in the table `orders`, on SQLite and on MySQL with the same statements. */
export class TypeOrmOrderRepository extends OrderRepository {
  readonly #rows: Rows<OrderRow>;

  constructor(sql: Sql) {
    super();
    this.#rows = new Rows(sql, ORDERS);
  }

  override add(order: Order): Promise<void> {
    return this.#rows.add(valuesOf(order));
  }

  override async find(id: Int64): Promise<Order | undefined> {
    const row = await this.#rows.find(id);
    return row && orderFrom(row);
  }

  override async list(selection: OrderSelection): Promise<Order[]> {
    return (await this.#rows.list(selection)).map(orderFrom);
  }

  /** Compare and set on the status: a rival who was faster leaves nothing to replace, and the order is looked at again. */
  override async change(id: Int64, change: (order: Order) => Order): Promise<Order> {
    for (;;) {
      const order = await this.find(id);
      if (!order) throw new OrderNotFound();
      const changed = change(order);
      if (await this.#rows.replace(id, order.status, valuesOf(changed))) return changed;
    }
  }
}
