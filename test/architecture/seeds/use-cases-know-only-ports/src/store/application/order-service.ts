import { TypeOrmOrderRepository } from '../adapters/typeorm/typeorm-order-repository.js';

export class OrderService {
  readonly orders = new TypeOrmOrderRepository();
}
