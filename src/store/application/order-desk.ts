import type { Clock } from '../../kernel/clock.js';
import type { Int64 } from '../../kernel/int64.js';
import { type Page, pageOf } from '../../kernel/page.js';
import type { Sequence } from '../../kernel/sequence.js';
import type { UnitOfWork } from '../../kernel/unit-of-work.js';
import type { PetReservations } from '../../pets/index.js';
import { Order } from '../domain/order.js';
import type { OrderStatus } from '../domain/order-status.js';
import type { OrderRepository, OrderSelection } from '../ports/order-repository.js';

/** Takes orders for animals. An order and what becomes of its animal are one unit of work. */
export class OrderDesk {
  constructor(
    private readonly orders: OrderRepository,
    private readonly pets: PetReservations,
    private readonly ids: Sequence,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** One page of orders, newest first; empty when nothing matches. */
  async list(selection: OrderSelection): Promise<Page<Order>> {
    const found = await this.orders.list({ ...selection, limit: selection.limit + 1 });
    return pageOf(found, selection.limit);
  }

  /** Orders an available animal, which is held from then on. @throws PetNotAvailable */
  place(petId: Int64): Promise<Order> {
    return this.units.run(async () => {
      await this.pets.reserve(petId);
      const order = Order.place(await this.ids.next(), petId, this.clock.now());
      await this.orders.add(order);
      return order;
    });
  }

  /** Moves an order on, and its animal with it. @throws OrderNotFound, InvalidOrderTransition */
  move(id: Int64, status: OrderStatus): Promise<Order> {
    return this.units.run(async () => {
      const order = await this.orders.change(id, (found) => found.become(status));
      if (status === 'delivered') await this.pets.sell(order.petId);
      if (status === 'cancelled') await this.pets.release(order.petId);
      return order;
    });
  }
}
