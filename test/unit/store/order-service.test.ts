import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryPetRepository } from '../../support/memory/memory-pet-repository.js';
import { PetCatalog } from '../../../src/pets/application/pet-catalog.js';
import { PetNotAvailable } from '../../../src/pets/domain/pet-errors.js';
import { MemorySequence } from '../../support/memory/memory-sequence.js';
import { MemoryUnitOfWork } from '../../support/memory/memory-unit-of-work.js';
import { MemoryOrderRepository } from '../../support/memory/memory-order-repository.js';
import { OrderService } from '../../../src/store/application/order-service.js';
import { InvalidOrderTransition, OrderNotFound } from '../../../src/store/domain/order-errors.js';
import { memoryEvents } from '../../support/events.js';
import { ManualClock } from '../../support/clocks.js';
import {
  ORDER_MOVES,
  ORDER_STATUSES,
  type OrderMove,
  type OrderStatus,
} from '../../../src/store/domain/order-status.js';
import { Order } from '../../../src/store/domain/order.js';
import { loaded } from '../../support/loaded.js';

describe('the order service', () => {
  let catalog: PetCatalog;
  let orders: OrderService;
  let rex: bigint;
  beforeEach(async () => {
    const units = new MemoryUnitOfWork();
    catalog = new PetCatalog(
      new MemoryPetRepository(units),
      new MemorySequence(),
      memoryEvents(units).events,
    );
    orders = new OrderService(
      new MemoryOrderRepository(units),
      catalog,
      new MemorySequence(),
      units,
      new ManualClock(),
    );
    rex = (await catalog.add({ name: 'Rex', categoryId: 7n })).id;
  });
  const statusOfRex = async () => (await catalog.get(rex)).status;

  it('holds a pet that is ordered', async () => {
    const order = await orders.place({ petId: rex });
    expect(await orders.get(order.id)).toEqual(order);
    expect(order).toMatchObject({
      petId: rex,
      status: 'placed',
      placedAt: new Date(new ManualClock().now()),
    });
    expect(await statusOfRex()).toBe('pending');
  });

  it('creates no order for a pet that is held, sold or unknown', async () => {
    await orders.place({ petId: rex });
    for (const id of [rex, 404n]) await expect(orders.place({ petId: id })).rejects.toThrow(PetNotAvailable);
    await expect(orders.place({ petId: 404n })).rejects.toThrow('Animal 404 does not exist.');
  });

  it('sells the pet when the order is delivered', async () => {
    const { id } = await orders.place({ petId: rex });
    await orders.move(id, 'approved');
    expect(await statusOfRex()).toBe('pending');
    await orders.move(id, 'delivered');
    expect(await statusOfRex()).toBe('sold');
  });

  it('releases the pet when the order is cancelled, so that it can be ordered again', async () => {
    const { id } = await orders.place({ petId: rex });
    await orders.move(id, 'cancelled');
    expect(await statusOfRex()).toBe('available');
    expect((await orders.place({ petId: rex })).id).not.toBe(id);
  });

  it('changes nothing when the order has the status already, whatever the caller expects', async () => {
    const { id } = await orders.place({ petId: rex });
    const cancelled = await orders.move(id, 'cancelled');
    await orders.place({ petId: rex });
    expect(await orders.move(id, 'cancelled', () => expect.unreachable())).toEqual(cancelled);
    expect(await statusOfRex()).toBe('pending');
  });

  it('changes neither order nor pet when the change is not allowed', async () => {
    const { id } = await orders.place({ petId: rex });
    await orders.move(id, 'delivered');
    await expect(orders.move(id, 'cancelled')).rejects.toThrow(InvalidOrderTransition);
    await expect(orders.move(404n, 'cancelled')).rejects.toThrow(OrderNotFound);
    await expect(orders.get(404n)).rejects.toThrow(OrderNotFound);
    expect(await statusOfRex()).toBe('sold');
  });

  it('stores no order if its pet cannot be changed', async () => {
    const { id } = await orders.place({ petId: rex });
    await catalog.sell(rex);
    await expect(orders.move(id, 'cancelled')).rejects.toThrow();
    expect((await orders.list({ limit: 1 })).items[0]!.status).toBe('placed');
  });
});

const ALLOWED: Record<OrderStatus, OrderMove[]> = {
  placed: ['approved', 'delivered', 'cancelled'],
  approved: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
};
const steps = ORDER_STATUSES.flatMap((from) => ORDER_MOVES.map((to) => [from, to] as const));

const placed = Order.place(7n, { petId: 42n }, new Date(1_000));
const orderThatIs = (status: OrderStatus) => loaded(Order, { ...placed, status });

describe('an order', () => {
  it('begins as placed', () => {
    expect({ ...placed }).toEqual({ id: 7n, petId: 42n, status: 'placed', placedAt: new Date(1_000) });
  });

  it.each(steps)('that is %s becomes %s, or rejects the change', (from, to) => {
    const order = orderThatIs(from);
    const change = () => order.transitionTo(to);
    if (ALLOWED[from].includes(to)) {
      expect(change()).toEqual(orderThatIs(to));
    } else {
      expect(change).toThrow(InvalidOrderTransition);
      expect(change).toThrow(`Order 7 is ${from} and cannot become ${to}.`);
    }
    expect(order).toEqual(orderThatIs(from));
  });
});
