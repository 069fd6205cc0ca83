import type { History, OrderStatus, PetStatus, Violation } from './history.js';

/** The status changes of a pet that an order with each status has caused, in order. */
const CHANGES: Readonly<Record<OrderStatus, readonly PetStatus[]>> = {
  placed: ['pending'],
  approved: ['pending'],
  delivered: ['pending', 'sold'],
  cancelled: ['pending', 'available'],
};

/**
 * A subscriber to status changes receives every change, and the changes of one pet in order: reserved and released once per
 * cancelled order, then reserved for the order that is open or delivered. An event may be repeated directly after itself.
 */
export function checkEvents({ heard, orders, pets }: History): Violation[] {
  if (!heard) return [];
  const expected = new Map<number, PetStatus[]>(pets.map(({ id }) => [id, []]));
  const last = (status: OrderStatus) => (status === 'cancelled' ? 0 : 1);
  for (const { petId, status } of orders.toSorted((a, b) => last(a.status) - last(b.status))) {
    expected.get(petId)?.push(...CHANGES[status]);
  }
  return [...expected].flatMap(([id, changes]) => {
    const told = heard.get(id) ?? [];
    const once = told.filter((status, i) => status !== told[i - 1]);
    return once.join() === changes.join()
      ? []
      : [
          {
            rule: 'events',
            text: `of animal ${id}, ${told.join(' ') || 'nothing'} was heard and not ${changes.join(' ')}`,
          },
        ];
  });
}
