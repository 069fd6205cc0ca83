import type { History, Operation, OrderPage, PetPage, Violation } from './history.js';

/** The time since which each id is known: acknowledged, or seen by any client. */
type Known = Map<number, number>;

/**
 * Each page has every item that was known before the request and whose id lies between the last id of the page and that of the
 * previous page; no item appears twice. In a list by status, this holds for pets that were never ordered.
 */
export function checkPages({ operations }: History): Violation[] {
  const pets: Known = new Map();
  const orders: Known = new Map();
  const touched = new Set<number>();
  for (const operation of operations) {
    const { ended } = operation;
    if (operation.kind === 'order' || operation.kind === 'move') touched.add(operation.petId);
    for (const id of petsIn(operation)) learn(pets, id, ended);
    for (const id of ordersIn(operation)) learn(orders, id, ended);
  }
  const untouched = new Map([...pets].filter(([id]) => !touched.has(id)));
  const [all, available, ordered] = [pets, untouched, orders].map(byId);
  return operations.flatMap((operation) => {
    if (operation.outcome !== 'done') return [];
    if (operation.kind === 'orders') return checkPage(operation, ordered!);
    if (operation.kind !== 'pets') return [];
    const { status } = operation;
    // New pets are available.
    return checkPage(operation, status === undefined ? all! : status === 'available' ? available! : []);
  });
}

/** The pets that an operation has added or seen. */
export function petsIn(operation: Operation): number[] {
  if (operation.outcome !== 'done') return [];
  if (operation.kind === 'add') return operation.id === undefined ? [] : [operation.id];
  if (operation.kind === 'get') return operation.seen === undefined ? [] : [operation.petId];
  return operation.kind === 'pets' ? operation.items.map(({ id }) => id) : [];
}

function ordersIn(operation: Operation): number[] {
  if (operation.outcome !== 'done') return [];
  if (operation.kind === 'order') return operation.id === undefined ? [] : [operation.id];
  return operation.kind === 'orders' ? operation.items.map(({ id }) => id) : [];
}

function learn(known: Known, id: number, at: number): void {
  known.set(id, Math.min(at, known.get(id) ?? at));
}

type Sorted = readonly (readonly [id: number, since: number])[];
const byId = (known: Known): Sorted => [...known].toSorted(([a], [b]) => a - b);

function checkPage({ items, below, isLast, sent, client }: PetPage | OrderPage, known: Sorted): Violation[] {
  const ids = items.map(({ id }) => id);
  const where = `the page of ${client} below ${below} at ${Math.round(sent)}`;
  const disordered = ids.some((id, i) => id >= (i === 0 ? below : ids[i - 1]!));
  const end = isLast ? 0 : ids.at(-1)!;
  const shown = new Set(ids);
  const holes: number[] = [];
  for (let i = placeOf(known, end); i < known.length && known[i]![0] < below; i++) {
    const [id, since] = known[i]!;
    if (since < sent && !shown.has(id)) holes.push(id);
  }
  return [
    ...(disordered ? [{ rule: 'repeated', text: `${where} has ${ids.join(' ')}` }] : []),
    ...(holes.length > 0 ? [{ rule: 'hole', text: `${where} lacks ${holes.join(' ')}` }] : []),
  ];
}

/** The index of the first id that is not smaller. */
function placeOf(known: Sorted, id: number): number {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (known[middle]![0] < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
