import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Int64, Page } from '../../../kernel/index.js';
import { changeRow, insertOnce, keysetPage } from '../../../platform/database/index.js';
import { OrderNotFound } from '../../domain/order-errors.js';
import { Order } from '../../domain/order.js';
import { OrderRepository, type OrderSelection } from '../../ports/order-repository.js';

/** Keeps orders in the table `orders`. */
@Injectable()
export class TypeOrmOrderRepository extends OrderRepository {
  constructor(@InjectRepository(Order) private readonly orders: Repository<Order>) {
    super();
  }

  override add(order: Order): Promise<void> {
    return insertOnce(this.orders, order);
  }

  override async find(id: Int64): Promise<Order | undefined> {
    return (await this.orders.findOneBy({ id })) ?? undefined;
  }

  override list(selection: OrderSelection): Promise<Page<Order>> {
    return keysetPage(this.orders.createQueryBuilder('order'), selection);
  }

  override async change(id: Int64, change: (order: Order) => Order): Promise<Order> {
    const changed = await changeRow(this.orders, { id }, change);
    if (!changed) throw new OrderNotFound();
    return changed;
  }
}
