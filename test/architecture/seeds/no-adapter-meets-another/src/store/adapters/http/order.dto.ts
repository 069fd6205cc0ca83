import type { OrderRow } from '../typeorm/order.row.js';

export type OrderBody = OrderRow;
