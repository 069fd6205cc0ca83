import { describe, expect, it } from 'vitest';
import { InvalidOrderTransition } from '../../../src/store/domain/order-errors.js';
import { Order } from '../../../src/store/domain/order.js';
import { ORDER_STATUSES, type OrderStatus } from '../../../src/store/domain/order-status.js';

const props = { id: 7n, petId: 42n, placedAt: 1_000 };

const ALLOWED: Record<OrderStatus, OrderStatus[]> = {
  placed: ['approved', 'delivered', 'cancelled'],
  approved: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
};
const steps = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const));

describe('an order', () => {
  it('begins as placed', () => {
    expect(Order.place(7n, { petId: 42n }, 1_000)).toEqual(Order.restore({ ...props, status: 'placed' }));
  });

  it.each(steps.filter(([from, to]) => ALLOWED[from].includes(to)))(
    'that is %s can become %s',
    (from, to) => {
      expect(Order.restore({ ...props, status: from }).transitionTo(to)).toEqual(
        Order.restore({ ...props, status: to }),
      );
    },
  );

  it.each(steps.filter(([from, to]) => !ALLOWED[from].includes(to)))(
    'that is %s cannot become %s',
    (from, to) => {
      const change = () => Order.restore({ ...props, status: from }).transitionTo(to);
      expect(change).toThrow(InvalidOrderTransition);
      expect(change).toThrow(`Order 7 is ${from} and cannot become ${to}.`);
    },
  );
});
