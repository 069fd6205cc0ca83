import type { Clock, Int64, Page, Sequence, UnitOfWork } from '../../kernel/index.js';
import type { PetReservations } from '../../pets/index.js';
import { OrderNotFound } from '../domain/order-errors.js';
import type { OrderMove } from '../domain/order-status.js';
import { type NewOrder, Order } from '../domain/order.js';
import type { OrderRepository, OrderSelection } from '../ports/order-repository.js';

/** Takes orders for pets. An order and the change of its pet are one unit of work. */
export class OrderService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly pets: PetReservations,
    private readonly ids: Sequence,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** One page of orders. It is empty if nothing matches. */
  list(selection: OrderSelection): Promise<Page<Order>> {
    return this.orders.list(selection);
  }

  /** @throws OrderNotFound */
  async get(id: Int64): Promise<Order> {
    const order = await this.orders.find(id);
    if (!order) throw new OrderNotFound();
    return order;
  }

  /** Places an order for an available pet, and reserves the pet. @throws PetNotAvailable */
  async place(newOrder: NewOrder): Promise<Order> {
    const order = Order.place(await this.ids.next(), newOrder, new Date(this.clock.now()));
    await this.units.run(async () => {
      await this.pets.reserve(order.petId);
      await this.orders.add(order);
    });
    return order;
  }

  /**
   * Changes an order to its next status, and its pet with it. If the order already has that status, it changes nothing. `check`
   * may throw if the order is not as the caller expects. @throws OrderNotFound, InvalidOrderTransition
   */
  move(id: Int64, status: OrderMove, check: (found: Order) => void = () => {}): Promise<Order> {
    return this.units.run(async () => {
      let isDone = false;
      const order = await this.orders.change(id, (found) => {
        isDone = found.status === status;
        if (isDone) return found;
        check(found);
        return found.transitionTo(status);
      });
      if (isDone) return order;
      if (status === 'delivered') await this.pets.sell(order.petId);
      if (status === 'cancelled') await this.pets.release(order.petId);
      return order;
    });
  }
}
