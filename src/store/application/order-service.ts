import type { Clock, Int64, Page, Sequence, UnitOfWork } from '../../kernel/index.js';
import type { PetReservations } from '../../pets/index.js';
import { OrderNotFound } from '../domain/order-errors.js';
import { type NewOrder, Order, type OrderMove } from '../domain/order.js';
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

  /** One page of orders; empty when nothing matches. */
  list(selection: OrderSelection): Promise<Page<Order>> {
    return this.orders.list(selection);
  }

  /** @throws OrderNotFound */
  async get(id: Int64): Promise<Order> {
    const order = await this.orders.find(id);
    if (!order) throw new OrderNotFound();
    return order;
  }

  /** Orders an available pet, and reserves it. @throws PetNotAvailable */
  async place(newOrder: NewOrder): Promise<Order> {
    const order = Order.place(await this.ids.next(), newOrder, new Date(this.clock.now()));
    await this.units.run(async () => {
      await this.pets.reserve(order.petId);
      await this.orders.add(order);
    });
    return order;
  }

  /**
   * Moves an order to its next status, together with its pet; nothing is left to do if it has that status already. `check` may
   * throw if the order to be moved is not as the caller expects.
   * @throws OrderNotFound, InvalidOrderTransition
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
