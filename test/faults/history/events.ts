import type { History, OrderStatus, PetStatus, Violation } from './history.js';

/** What an order says of its animal, change by change. */
const CHANGES: Readonly<Record<OrderStatus, readonly PetStatus[]>> = {
  placed: ['pending'],
  approved: ['pending'],
  delivered: ['pending', 'sold'],
  cancelled: ['pending', 'available'],
};

/**
 * A subscriber to the changes of status has heard of each, of those of one animal in their order: reserved and given back as
 * often as orders were cancelled, then reserved for the order that stands or was delivered. The same may come again at once.
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
