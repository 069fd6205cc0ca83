import type { Add, History, Operation, Order, StoredOrder, Violation } from './history.js';
import * as life from './life.js';
import { firstImpossible, type Step } from './possible.js';
import { isMade, keyed, sentFirst } from './keys.js';
import { petsIn } from './pages.js';

type After = Step['after'];
type Times = Pick<Operation, 'sent' | 'ended'>;

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Checks that the responses about each pet, and its stored state at the end, are linearizable: one order of the
 * operations explains them all, and an operation that ended before another one began comes first. Then nothing acknowledged is
 * lost, no read missed what was acknowledged or seen before it began, and no pet was given to two clients.
 */
export function checkAnimals(history: History): Violation[] {
  const lives = new Map<number, Step[]>();
  const note = (petId: number, step: Step) => {
    const steps = lives.get(petId);
    if (steps) steps.push(step);
    else lives.set(petId, [step]);
  };
  const { operations, pets } = history;
  const ids = new Map(pets.map(({ id, name }) => [name, id]));
  for (const add of effects(operations.filter((operation) => operation.kind === 'add'))) {
    const id = add.id ?? ids.get(add.name);
    if (id !== undefined) note(id, write(add, `added as ${add.name}`, life.added));
  }
  const unclaimed = unclaimedOrders(history);
  const ordersOfKeys = new Map<string, number>();
  for (const order of effects(operations.filter((operation) => operation.kind === 'order'))) {
    if (order.key !== undefined && order.id !== undefined) ordersOfKeys.set(order.key, order.id);
    const found = order.id === undefined ? (unclaimed.get(order.petId) ?? []) : [order.id];
    note(order.petId, write(order, `ordered as ${found.join(' or ') || 'nothing'}`, life.ordered(found)));
  }
  for (const operation of operations) {
    if (operation.kind === 'order' && operation.outcome === 'refused') {
      const own = operation.key === undefined ? undefined : ordersOfKeys.get(operation.key);
      note(operation.petId, read(operation, 'not available', life.notAvailable(own)));
    }
    for (const [id, step] of stepsOf(operation)) note(id, step);
  }
  for (const [id, step] of notListed(history, unclaimed)) note(id, step);
  for (const [id, step] of endings(history)) note(id, step);
  return [...lives].flatMap(([id, steps]) => {
    const impossible = firstImpossible(steps, life.ABSENT);
    return impossible ? [{ rule: 'impossible', text: tell(id, impossible, steps) }] : [];
  });
}

/** Additions and orders. Requests with one key are one effect, between the first request and the first acknowledgement. */
function effects<Kind extends Add | Order>(operations: readonly Kind[]): Kind[] {
  const alone = operations.filter((operation) => operation.key === undefined && isMade(operation));
  const together = [...keyed(operations).values()].flatMap((attempts) => {
    const made = attempts.filter(isMade);
    if (made.length === 0) return [];
    const done = made.filter(({ outcome }) => outcome === 'done').toSorted((a, b) => a.ended - b.ended)[0];
    return [{ ...(done ?? made[0]!), sent: sentFirst(made) }];
  });
  return [...alone, ...together];
}

/** The orders whose id no client received, by pet. */
function unclaimedOrders({ operations, orders }: History): Map<number, number[]> {
  const told = new Set(
    operations.map((operation) => (operation.kind === 'order' ? operation.id : undefined)),
  );
  const unclaimed = new Map<number, number[]>();
  for (const { id, petId } of orders) {
    if (!told.has(id)) unclaimed.set(petId, [...(unclaimed.get(petId) ?? []), id]);
  }
  return unclaimed;
}

/** A step for each page that lacks an order which may have been placed by then: the order did not exist yet. */
function* notListed({ operations }: History, unclaimed: ReadonlyMap<number, readonly number[]>) {
  const pages = operations.filter((operation) => operation.kind === 'orders');
  for (const order of operations) {
    if (order.kind !== 'order' || !isMade(order)) continue;
    const ids = order.id === undefined ? (unclaimed.get(order.petId) ?? []) : [order.id];
    const ended = order.id === undefined ? NEVER : order.ended;
    for (const page of pages) {
      if (page.outcome !== 'done' || page.ended < order.sent || page.sent > ended) continue;
      const end = page.isLast ? 0 : (page.items.at(-1)?.id ?? page.below);
      const shown = new Set(page.items.map((item) => item.id));
      for (const id of ids) {
        if (id <= end || id >= page.below || shown.has(id)) continue;
        yield [order.petId, read(page, `order ${id} not listed`, life.orderNotThere(id))] as const;
      }
    }
  }
}

/** The steps of changes of orders, done or rejected, and of reads. */
function stepsOf(operation: Operation): (readonly [petId: number, step: Step])[] {
  const { kind, outcome } = operation;
  if (kind === 'move') {
    const { id, petId, to } = operation;
    if (isMade(operation)) return [[petId, write(operation, `${id} made ${to}`, life.moved(id, to))]];
    if (outcome !== 'refused') return [];
    return [[petId, read(operation, `${id} could not be made ${to}`, life.notMovable(id, to))]];
  }
  if (outcome !== 'done') return [];
  if (kind === 'get') {
    const { petId, seen } = operation;
    return [[petId, read(operation, `seen ${seen ?? 'to be absent'}`, life.seenAs(seen))]];
  }
  if (kind === 'pets')
    return operation.items.map(({ id, status }) => [
      id,
      read(operation, `listed ${status}`, life.seenAs(status)),
    ]);
  if (kind === 'orders')
    return operation.items.map(({ id, petId, status }) => [
      petId,
      read(operation, `order ${id} listed ${status}`, life.orderSeenAs(id, status)),
    ]);
  return [];
}

/** The stored state of each pet at the end; a pet that was seen but is not stored counts as absent. */
function endings({ pets, orders, operations, ended }: History): Map<number, Step> {
  const seen = operations.flatMap(petsIn);
  const own = new Map<number, StoredOrder[]>();
  for (const order of orders) own.set(order.petId, [...(own.get(order.petId) ?? []), order]);
  const stored = new Map(pets.map((pet) => [pet.id, pet.status]));
  return new Map(
    [...new Set([...seen, ...stored.keys()])].map((id) => {
      const text = `stored ${stored.get(id) ?? 'nowhere'} at the end`;
      return [id, read({ sent: ended, ended }, text, life.storedAs(stored.get(id), own.get(id) ?? []))];
    }),
  );
}

const write = (operation: Operation, text: string, after: After): Step => ({
  sent: operation.sent,
  ended: operation.outcome === 'done' ? operation.ended : NEVER,
  isDoubtful: operation.outcome !== 'done',
  isRead: false,
  text: operation.outcome === 'done' ? text : `perhaps ${text}`,
  after,
});

const read = ({ sent, ended }: Times, text: string, after: After): Step => ({
  sent,
  ended,
  isDoubtful: false,
  isRead: true,
  text,
  after,
});

/** Number of steps shown before the one that does not fit. */
const SHOWN = 12;

function tell(id: number, impossible: Step, steps: readonly Step[]): string {
  const line = ({ sent, ended, text }: Step) =>
    `${Math.round(sent)}-${ended === NEVER ? '?' : Math.round(ended)} ${text}`;
  const before = steps
    .filter((step) => step !== impossible && step.sent <= impossible.ended)
    .toSorted((a, b) => a.sent - b.sent);
  return `animal ${id}: "${line(impossible)}" does not fit after ${before.slice(-SHOWN).map(line).join('; ')}`;
}
