import type { SqlValue } from '../../../platform/database/session.js';
import { Table } from '../../../platform/database/table.js';
import { Order } from '../../domain/order.js';
import type { OrderStatus } from '../../domain/order-status.js';

/** A row of the table `orders`; integers in whichever type the driver reads them exactly. */
export interface OrderRow {
  readonly id: bigint | string | number;
  readonly pet_id: bigint | string | number;
  readonly status: OrderStatus;
  readonly placed_at: bigint | string | number;
}

/** The columns of `OrderRow`, in the order of `valuesOf`. */
export const ORDERS = new Table('orders', ['id', 'pet_id', 'status', 'placed_at']);

export function orderFrom(row: OrderRow): Order {
  return Order.restore({
    id: BigInt(row.id),
    petId: BigInt(row.pet_id),
    status: row.status,
    placedAt: Number(row.placed_at),
  });
}

export function valuesOf({ id, petId, status, placedAt }: Order): SqlValue[] {
  return [id, petId, status, placedAt];
}
