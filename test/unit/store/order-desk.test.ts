import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryPetRepository } from '../../../src/pets/adapters/memory/memory-pet-repository.js';
import { PetCatalog } from '../../../src/pets/application/pet-catalog.js';
import { PetNotAvailable } from '../../../src/pets/domain/pet-errors.js';
import { MemorySequence } from '../../support/memory-sequence.js';
import { MemoryUnitOfWork } from '../../../src/platform/memory/memory-unit-of-work.js';
import { MemoryOrderRepository } from '../../../src/store/adapters/memory/memory-order-repository.js';
import { OrderDesk } from '../../../src/store/application/order-desk.js';
import { InvalidOrderTransition, OrderNotFound } from '../../../src/store/domain/order-errors.js';
import { memoryEvents } from '../../support/events.js';
import { ManualClock } from '../../support/clocks.js';

describe('the order desk', () => {
  let catalog: PetCatalog;
  let desk: OrderDesk;
  let rex: bigint;
  beforeEach(async () => {
    const units = new MemoryUnitOfWork();
    catalog = new PetCatalog(
      new MemoryPetRepository(units),
      new MemorySequence(),
      memoryEvents(units).events,
    );
    desk = new OrderDesk(
      new MemoryOrderRepository(units),
      catalog,
      new MemorySequence(),
      units,
      new ManualClock(),
    );
    rex = (await catalog.add({ name: 'Rex', categoryId: 7n })).id;
  });
  const statusOfRex = async () => (await catalog.get(rex)).status;

  it('holds an animal that is ordered', async () => {
    const order = await desk.place(rex);
    expect(order).toMatchObject({ petId: rex, status: 'placed', placedAt: new ManualClock().now() });
    expect(await statusOfRex()).toBe('pending');
  });

  it('gives each animal to one of those who want it', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => desk.place(rex)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await desk.list({ limit: 100 })).items).toHaveLength(1);
  });

  it('takes no order for an animal that is held, sold or unknown', async () => {
    await desk.place(rex);
    for (const id of [rex, 404n]) await expect(desk.place(id)).rejects.toThrow(PetNotAvailable);
  });

  it('sells the animal when the order is delivered', async () => {
    const { id } = await desk.place(rex);
    await desk.move(id, 'approved');
    expect(await statusOfRex()).toBe('pending');
    await desk.move(id, 'delivered');
    expect(await statusOfRex()).toBe('sold');
  });

  it('gives the animal back when the order is cancelled, so that it can be ordered again', async () => {
    const { id } = await desk.place(rex);
    await desk.move(id, 'cancelled');
    expect(await statusOfRex()).toBe('available');
    expect((await desk.place(rex)).id).not.toBe(id);
  });

  it('leaves order and animal alone when the change is not allowed', async () => {
    const { id } = await desk.place(rex);
    await desk.move(id, 'delivered');
    await expect(desk.move(id, 'cancelled')).rejects.toThrow(InvalidOrderTransition);
    await expect(desk.move(404n, 'cancelled')).rejects.toThrow(OrderNotFound);
    expect(await statusOfRex()).toBe('sold');
  });

  it('keeps no order whose animal could not follow', async () => {
    const { id } = await desk.place(rex);
    await catalog.sell(rex);
    await expect(desk.move(id, 'cancelled')).rejects.toThrow();
    expect((await desk.list({ limit: 1 })).items[0]!.status).toBe('placed');
  });
});
