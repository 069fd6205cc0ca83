import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page, Properties } from '../../src/kernel/index.js';
import { StoreModule } from '../../src/store/index.js';
import { migrationsOfModule } from '../../src/platform/database/index.js';
import { MemoryOrderRepository } from '../support/memory/memory-order-repository.js';
import { OrderSchema } from '../../src/store/adapters/typeorm/order.schema.js';
import { TypeOrmOrderRepository } from '../../src/store/adapters/typeorm/typeorm-order-repository.js';
import { InvalidOrderTransition, OrderNotFound } from '../../src/store/domain/order-errors.js';
import { Order } from '../../src/store/domain/order.js';
import type { OrderRepository } from '../../src/store/ports/order-repository.js';
import { loaded } from '../support/loaded.js';
import { type Adapters, overEveryAdapter, type Store } from '../support/stores.js';

const placed: Properties<Order> = {
  id: 11n,
  petId: 2n ** 63n - 1n,
  status: 'placed',
  placedAt: new Date(1_795_132_800_001),
};
const order = (more: Partial<Properties<Order>> = {}) => loaded(Order, { ...placed, ...more });

type Orders = { orders: OrderRepository };
const adapters: Adapters<Orders> = {
  module: 'store',
  migrations: migrationsOfModule(StoreModule),
  schemas: [OrderSchema],
  inMemory: (units) => ({ orders: new MemoryOrderRepository(units) }),
  inTypeOrm: (source) => ({ orders: new TypeOrmOrderRepository(source.getRepository(Order)) }),
};

describe('the storage of orders', () =>
  overEveryAdapter(adapters, (open) => {
    let store: Store<Orders>;
    beforeEach(async () => (store = await open()));
    afterEach(() => store.close());

    const fill = async (...orders: Partial<Properties<Order>>[]) => {
      for (const each of orders) await store.orders.add(order(each));
    };
    const idsOf = ({ items }: Page<Order>) => items.map(({ id }) => id);

    it('returns an order as it was added, each property in its place', async () => {
      await fill({});
      expect(await store.orders.find(11n)).toEqual(order());
      expect(await store.orders.find(404n)).toBeUndefined();
    });

    it('does not store two orders under one id', async () => {
      await fill({});
      await expect(store.orders.add(order({ petId: 3n }))).rejects.toThrow();
      expect(await store.orders.find(11n)).toEqual(order());
    });

    it('lists the newest order first, of one status, of a pet or all, and continues after a given order', async () => {
      const first: Partial<Properties<Order>>[] = [{ id: 1n }, { id: 2n, status: 'cancelled' }, { id: 3n }];
      await fill(...first, { id: 4n, status: 'cancelled', petId: 7n }, { id: 5n, petId: 7n });
      const list = async (selection: object) => idsOf(await store.orders.list({ limit: 3, ...selection }));
      expect(await list({})).toEqual([5n, 4n, 3n]);
      expect(await list({ filter: { status: 'cancelled' } })).toEqual([4n, 2n]);
      expect(await list({ filter: { status: 'placed' }, after: { id: 3n } })).toEqual([1n]);
      expect(await list({ filter: { petId: 7n } })).toEqual([5n, 4n]);
      expect(await list({ filter: { petId: 7n, status: 'placed' } })).toEqual([5n]);
    });

    it('has no orders after the lowest id', async () => {
      await fill({ id: 1n }, { id: 2n });
      for (const id of [1n, 0n, -1n, -(2n ** 63n)])
        for (const filter of [{}, { status: 'placed' } as const])
          expect(await store.orders.list({ filter, after: { id }, limit: 10 })).toEqual({ items: [] });
    });

    it('changes an order and keeps the result', async () => {
      await fill({});
      const approved = await store.orders.change(11n, (found) => found.transitionTo('approved'));
      expect(await store.orders.find(11n)).toEqual(approved);
      expect(approved).toEqual(order({ status: 'approved' }));
    });

    it('leaves an order unchanged when the change is rejected, and reports an order that does not exist', async () => {
      await fill({ status: 'delivered' });
      const cancel = (id: bigint) => store.orders.change(id, (found) => found.transitionTo('cancelled'));
      await expect(cancel(11n)).rejects.toThrow(InvalidOrderTransition);
      await expect(cancel(404n)).rejects.toThrow(OrderNotFound);
      expect(await store.orders.find(11n)).toEqual(order({ status: 'delivered' }));
    });

    it('lets one of fifty callers cancel an order at once', async () => {
      await fill({});
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, () =>
          store.orders.change(11n, (found) => found.transitionTo('cancelled')),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  }));
