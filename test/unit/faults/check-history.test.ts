import { describe, expect, it } from 'vitest';
import { checkHistory } from '../../faults/history/check.js';
import type { Add, Get, History, Move, Operation, Order, PetPage } from '../../faults/history/history.js';

const MAX = Number.POSITIVE_INFINITY;

type Times = readonly [sent: number, ended: number];
const request = ([sent, ended]: Times) =>
  ({ client: 'one', sent, ended, outcome: 'done', answer: '' }) as const;

const add = (times: Times, id: number, more: Partial<Add> = {}): Add => ({
  ...request(times),
  kind: 'add',
  id,
  name: `pet ${id}`,
  ...more,
});
const order = (times: Times, petId: number, id: number, more: Partial<Order> = {}): Order => ({
  ...request(times),
  kind: 'order',
  petId,
  id,
  ...more,
});
const move = (times: Times, petId: number, id: number, to: Move['to']): Move => ({
  ...request(times),
  kind: 'move',
  petId,
  id,
  to,
});
const get = (times: Times, petId: number, seen?: Get['seen']): Get => ({
  ...request(times),
  kind: 'get',
  petId,
  seen,
});
const page = (times: Times, ids: readonly number[], more: Partial<PetPage> = {}): PetPage => ({
  ...request(times),
  kind: 'pets',
  below: MAX,
  isLast: true,
  items: ids.map((id) => ({ id, name: `pet ${id}`, status: 'available' })),
  ...more,
});
const history = (operations: readonly Operation[], more: Partial<History> = {}): History => ({
  operations,
  pets: [{ id: 1, name: 'pet 1', status: 'available' }],
  orders: [],
  ended: 1_000,
  uses: [],
  ...more,
});
const SOLD = {
  pets: [{ id: 1, name: 'pet 1', status: 'sold' as const }],
  orders: [{ id: 7, petId: 1, status: 'delivered' as const }],
};
const PENDING = {
  pets: [{ id: 1, name: 'pet 1', status: 'pending' as const }],
  orders: [{ id: 7, petId: 1, status: 'placed' as const }],
};
const UNKNOWN = { outcome: 'unknown', id: undefined } as const;
const REFUSED = { outcome: 'refused', id: undefined } as const;

/** What most histories begin with. */
const ADDED = add([0, 10], 1);
const ORDERED = order([20, 30], 1, 7);
const DELIVERED = move([40, 50], 1, 7, 'delivered');

const two = (...operations: Operation[]) =>
  history([add([0, 90], 1), add([0, 90], 2), ...operations], {
    pets: [1, 2].map((id) => ({ id, name: `pet ${id}`, status: 'available' })),
  });

const rules = (found: History) => checkHistory(found).map(({ rule }) => rule);

describe('a history is good', () => {
  const good: Record<string, History> = {
    'of an animal that is added, ordered and delivered': history(
      [
        ADDED,
        get([11, 12], 1, 'available'),
        ORDERED,
        get([31, 32], 1, 'pending'),
        DELIVERED,
        get([51, 52], 1, 'sold'),
      ],
      SOLD,
    ),
    'if what was not acknowledged was done': history(
      [ADDED, order([20, 30], 1, 7, UNKNOWN), get([40, 41], 1, 'available'), get([90, 91], 1, 'pending')],
      PENDING,
    ),
    'if what was sent twice under one key was done once': history([
      add([0, 10], 1, { key: 'k', outcome: 'unknown', id: undefined }),
      add([20, 30], 1, { key: 'k', answer: 'a' }),
      add([40, 50], 1, { key: 'k', answer: 'a' }),
    ]),
    'of which two pages show different parts of a list': two(
      page([20, 60], [2], { isLast: false }),
      page([20, 60], [1], { below: 2 }),
    ),
  };
  it.each(Object.entries(good))('%s', (_, found) => expect(checkHistory(found)).toEqual([]));
});

describe('caught is', () => {
  const bad: Record<string, [rules: string[], found: History]> = {
    'an animal that is lost': [['impossible'], history([ADDED], { pets: [] })],
    'a read that misses what was acknowledged before': [['impossible'], history([ADDED, get([11, 20], 1)])],
    'a stale status after the newer one was seen, though nobody acknowledged it': [
      ['impossible'],
      history(
        [ADDED, order([20, 90], 1, 7, UNKNOWN), get([31, 32], 1, 'pending'), get([33, 34], 1, 'available')],
        PENDING,
      ),
    ],
    'an animal that is sold twice': [
      ['impossible'],
      history([ADDED, ORDERED, order([25, 35], 1, 8)], {
        ...PENDING,
        orders: [...PENDING.orders, { id: 8, petId: 1, status: 'placed' }],
      }),
    ],
    'a lost update: of two changes of one order the second is gone': [
      ['impossible'],
      history(
        [ADDED, order([11, 12], 1, 7), move([20, 30], 1, 7, 'approved'), move([20, 30], 1, 7, 'cancelled')],
        { ...PENDING, orders: [{ id: 7, petId: 1, status: 'approved' }] },
      ),
    ],
    'a long fork of additions, seen by pages': [['fork'], two(page([20, 60], [2]), page([21, 61], [1]))],
    'a refusal without a reason': [['impossible'], history([ADDED, order([20, 30], 1, 7, REFUSED)])],
    'a refusal because of the very order that was asked for': [
      ['impossible'],
      history(
        [ADDED, order([20, 30], 1, 7, { ...REFUSED, key: 'k' }), order([20, 40], 1, 7, { key: 'k' })],
        PENDING,
      ),
    ],
    'an animal stored twice for one key': [
      ['impossible', 'done twice'],
      history([add([0, 10], 1, { ...UNKNOWN, key: 'k' }), add([20, 30], 2, { key: 'k', name: 'pet 1' })], {
        pets: [1, 2].map((id) => ({ id, name: 'pet 1', status: 'available' as const })),
      }),
    ],
    'two answers to one key': [
      ['answered differently'],
      history([add([0, 10], 1, { key: 'k', answer: 'a' }), add([20, 30], 1, { key: 'k', answer: 'b' })]),
    ],
    'a page with a hole': [['hole'], history([ADDED, page([20, 30], [])])],
    'a page that repeats': [['repeated'], history([ADDED, page([20, 30], [1], { below: 1 })])],
    'an event that was not heard': [['events'], history([ADDED, ORDERED], { ...PENDING, heard: new Map() })],
    'a key beyond its rate': [
      ['rate'],
      history([ADDED], {
        uses: Array.from({ length: 21 }, (_, i) => ({ sent: i, ended: i + 1, isAdmitted: true })),
        rate: { limit: 10, seconds: 1, restarts: 0, patience: 250 },
      }),
    ],
    'an answer that says internal error': [
      ['answer'],
      history([ADDED, { ...get([20, 30], 1), outcome: 'unknown', answer: '500', isWrong: true }]),
    ],
  };
  it.each(Object.entries(bad))('%s', (_, [expected, found]) => expect(rules(found)).toEqual(expected));
});

it('many rivals and doubtful orders for one animal are gone through in no time', () => {
  const rivals = Array.from({ length: 12 }, (_, i) => order([20, 80 + i], 1, 100 + i, UNKNOWN));
  const reads = Array.from({ length: 500 }, (_, i) => get([100 + i, 101 + i], 1, 'pending'));
  const found = history([ADDED, ...rivals, ...reads], PENDING);
  expect(checkHistory(found)).toEqual([]);
  expect(rules(history([...found.operations, get([700, 701], 1, 'available')], PENDING))).toEqual([
    'impossible',
  ]);
});
