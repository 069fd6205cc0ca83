import type { OrderStatus, PetStatus, StoredOrder } from './history.js';
import type { Step } from './possible.js';

/**
 * A model of one pet and its orders as the service documents them, independent of the code of the service: the status of the
 * pet follows from its orders. A state is `absent`, or the orders as text, such as `3:cancelled 8:placed`.
 */
export const ABSENT = 'absent';

const NEXT: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  placed: ['approved', 'delivered', 'cancelled'],
  approved: ['delivered', 'cancelled'],
  delivered: [],
  cancelled: [],
};

type Orders = ReadonlyMap<number, OrderStatus>;
type After = Step['after'];

const ordersOf = (state: string): Orders =>
  new Map(
    state.split(' ').flatMap((order) => {
      const [id, status] = order.split(':');
      return status === undefined ? [] : [[Number(id), status as OrderStatus] as const];
    }),
  );

const stateOf = (orders: Orders): string =>
  [...orders]
    .toSorted(([a], [b]) => a - b)
    .map(([id, status]) => `${id}:${status}`)
    .join(' ');

function statusOf(orders: Orders): PetStatus {
  const statuses = [...orders.values()];
  if (statuses.includes('delivered')) return 'sold';
  return statuses.some((status) => status === 'placed' || status === 'approved') ? 'pending' : 'available';
}

const stays =
  (holds: (orders: Orders) => boolean): After =>
  (state) =>
    state !== ABSENT && holds(ordersOf(state)) ? [state] : [];

export const added: After = (state) => (state === ABSENT ? [''] : []);

/** Undefined: it was not found. */
export const seenAs = (status: PetStatus | undefined): After =>
  status === undefined
    ? (state) => (state === ABSENT ? [state] : [])
    : stays((orders) => statusOf(orders) === status);

/** Ordered, under one of these ids. */
export const ordered =
  (ids: readonly number[]): After =>
  (state) => {
    if (state === ABSENT) return [];
    const orders = ordersOf(state);
    if (statusOf(orders) !== 'available') return [];
    return ids.filter((id) => !orders.has(id)).map((id) => stateOf(new Map([...orders, [id, 'placed']])));
  };

/** Rejected because of another order; the requested order, if it was ever placed, does not exist yet. */
export const notAvailable = (own: number | undefined): After =>
  stays((orders) => statusOf(orders) !== 'available' && (own === undefined || !orders.has(own)));

export const moved =
  (id: number, to: OrderStatus): After =>
  (state) => {
    const orders = ordersOf(state);
    const from = orders.get(id);
    // An update to the current status changes nothing.
    return from && (from === to || NEXT[from].includes(to)) ? [stateOf(new Map([...orders, [id, to]]))] : [];
  };

export const notMovable = (id: number, to: OrderStatus): After =>
  stays((orders) => {
    const from = orders.get(id);
    return from !== undefined && from !== to && !NEXT[from].includes(to);
  });

export const orderSeenAs = (id: number, status: OrderStatus): After =>
  stays((orders) => orders.get(id) === status);

export const orderNotThere = (id: number): After => stays((orders) => !orders.has(id));

/** The stored state at the end: the pet with exactly these orders. */
export const storedAs = (status: PetStatus | undefined, orders: readonly StoredOrder[]): After => {
  if (status === undefined) return seenAs(undefined);
  const stored = stateOf(new Map(orders.map((order) => [order.id, order.status])));
  return stays((found) => statusOf(found) === status && stateOf(found) === stored);
};
