import type { PlacedOrder } from '../application/order-desk.js';

export abstract class OrderRepository {
  abstract add(order: PlacedOrder): Promise<void>;
}
