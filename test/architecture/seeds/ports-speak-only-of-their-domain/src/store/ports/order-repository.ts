import type { PlacedOrder } from '../application/order-service.js';

export abstract class OrderRepository {
  abstract add(order: PlacedOrder): Promise<void>;
}
