import { EntitySchema } from 'typeorm';
import { columns } from '../../../platform/database/index.js';
import { Order } from '../../domain/order.js';

/** Maps orders to the table `orders`. The indexes serve lists by status, by pet and by both, newest first. */
export const OrderSchema = new EntitySchema<Order>({
  name: 'Order',
  target: Order,
  tableName: 'orders',
  columns: {
    id: columns.int64({ primary: true }),
    petId: columns.int64({ name: 'pet_id' }),
    status: columns.word(16),
    placedAt: columns.instant({ name: 'placed_at' }),
  },
  indices: [
    { name: 'orders_by_status', columns: ['status', 'id'] },
    { name: 'orders_by_pet', columns: ['petId', 'id'] },
    { name: 'orders_by_pet_and_status', columns: ['petId', 'status', 'id'] },
  ],
});
