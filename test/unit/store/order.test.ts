import { describe, expect, it } from 'vitest';
import { InvalidOrderTransition } from '../../../src/store/domain/order-errors.js';
import {
  Order,
  ORDER_MOVES,
  ORDER_STATUSES,
  type OrderMove,
  type OrderStatus,
} from '../../../src/store/domain/order.js';
import { loaded } from '../../support/loaded.js';

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

  it.each(steps.filter(([from, to]) => ALLOWED[from].includes(to)))(
    'that is %s can become %s',
    (from, to) => {
      expect(orderThatIs(from).transitionTo(to)).toEqual(orderThatIs(to));
    },
  );

  it.each(steps.filter(([from, to]) => !ALLOWED[from].includes(to)))(
    'that is %s cannot become %s',
    (from, to) => {
      const change = () => orderThatIs(from).transitionTo(to);
      expect(change).toThrow(InvalidOrderTransition);
      expect(change).toThrow(`Order 7 is ${from} and cannot become ${to}.`);
    },
  );
});
