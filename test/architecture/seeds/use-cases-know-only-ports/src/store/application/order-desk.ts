import { TypeOrmOrderRepository } from '../adapters/typeorm/typeorm-order-repository.js';

export class OrderDesk {
  readonly orders = new TypeOrmOrderRepository();
}
