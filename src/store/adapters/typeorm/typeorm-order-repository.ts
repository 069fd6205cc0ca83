import type { Int64 } from '../../../kernel/int64.js';
import { newestFirst } from '../../../platform/database/newest-first.js';
import type { Sql } from '../../../platform/database/sql.js';
import { OrderNotFound } from '../../domain/order-errors.js';
import type { Order } from '../../domain/order.js';
import { OrderRepository, type OrderSelection } from '../../ports/order-repository.js';
import { ORDER_COLUMNS, orderFrom, type OrderRow, valuesOf } from './order.row.js';

/** Keeps orders in the table `orders`, on SQLite and on MySQL with the same statements. */
export class TypeOrmOrderRepository extends OrderRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async add(order: Order): Promise<void> {
    await this.sql.change(`INSERT INTO orders (${ORDER_COLUMNS}) VALUES (?, ?, ?, ?)`, valuesOf(order));
  }

  override async find(id: Int64): Promise<Order | undefined> {
    const [row] = await this.sql.rows<OrderRow>(`SELECT ${ORDER_COLUMNS} FROM orders WHERE id = ?`, [id]);
    return row && orderFrom(row);
  }

  override async list(selection: OrderSelection): Promise<Order[]> {
    const rows = await this.sql.rows<OrderRow>(...newestFirst('orders', ORDER_COLUMNS, selection));
    return rows.map(orderFrom);
  }

  /** Compare and set on the status: a rival who was faster leaves no row to update, and the order is looked at again. */
  override async change(id: Int64, change: (order: Order) => Order): Promise<Order> {
    for (;;) {
      const order = await this.find(id);
      if (!order) throw new OrderNotFound();
      const changed = change(order);
      const moved = await this.sql.change('UPDATE orders SET status = ? WHERE id = ? AND status = ?', [
        changed.status,
        id,
        order.status,
      ]);
      if (moved === 1) return changed;
    }
  }
}
