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

describe('the check accepts a history', () => {
  const good: Record<string, History> = {
    'of a pet that is added, ordered and delivered': history(
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
    'in which an unacknowledged request was executed': history(
      [ADDED, order([20, 30], 1, 7, UNKNOWN), get([40, 41], 1, 'available'), get([90, 91], 1, 'pending')],
      PENDING,
    ),
    'in which a request that was sent twice under one key was executed once': history([
      add([0, 10], 1, { key: 'k', outcome: 'unknown', id: undefined }),
      add([20, 30], 1, { key: 'k', answer: 'a' }),
      add([40, 50], 1, { key: 'k', answer: 'a' }),
    ]),
    'in which two pages show different parts of a list': two(
      page([20, 60], [2], { isLast: false }),
      page([20, 60], [1], { below: 2 }),
    ),
  };
  it.each(Object.entries(good))('%s', (_, found) => expect(checkHistory(found)).toEqual([]));
});

describe('the check reports', () => {
  const bad: Record<string, [rules: string[], found: History]> = {
    'a lost pet': [['impossible'], history([ADDED], { pets: [] })],
    'a read that misses a pet that was acknowledged before': [
      ['impossible'],
      history([ADDED, get([11, 20], 1)]),
    ],
    'a stale status after the newer one was read, although the change was not acknowledged': [
      ['impossible'],
      history(
        [ADDED, order([20, 90], 1, 7, UNKNOWN), get([31, 32], 1, 'pending'), get([33, 34], 1, 'available')],
        PENDING,
      ),
    ],
    'a pet that is sold twice': [
      ['impossible'],
      history([ADDED, ORDERED, order([25, 35], 1, 8)], {
        ...PENDING,
        orders: [...PENDING.orders, { id: 8, petId: 1, status: 'placed' }],
      }),
    ],
    'a lost update: the second of two changes of one order is missing': [
      ['impossible'],
      history(
        [ADDED, order([11, 12], 1, 7), move([20, 30], 1, 7, 'approved'), move([20, 30], 1, 7, 'cancelled')],
        { ...PENDING, orders: [{ id: 7, petId: 1, status: 'approved' }] },
      ),
    ],
    'two pages that disagree on the order of additions': [
      ['fork'],
      two(page([20, 60], [2]), page([21, 61], [1])),
    ],
    'a rejection without a reason': [['impossible'], history([ADDED, order([20, 30], 1, 7, REFUSED)])],
    'a request that is rejected because of its own order': [
      ['impossible'],
      history(
        [ADDED, order([20, 30], 1, 7, { ...REFUSED, key: 'k' }), order([20, 40], 1, 7, { key: 'k' })],
        PENDING,
      ),
    ],
    'a pet that is stored twice for one key': [
      ['impossible', 'done twice'],
      history([add([0, 10], 1, { ...UNKNOWN, key: 'k' }), add([20, 30], 2, { key: 'k', name: 'pet 1' })], {
        pets: [1, 2].map((id) => ({ id, name: 'pet 1', status: 'available' as const })),
      }),
    ],
    'two responses to one key': [
      ['answered differently'],
      history([add([0, 10], 1, { key: 'k', answer: 'a' }), add([20, 30], 1, { key: 'k', answer: 'b' })]),
    ],
    'a page that misses a pet': [['hole'], history([ADDED, page([20, 30], [])])],
    'a page that repeats a pet': [['repeated'], history([ADDED, page([20, 30], [1], { below: 1 })])],
    'an event that was not delivered': [
      ['events'],
      history([ADDED, ORDERED], { ...PENDING, heard: new Map() }),
    ],
    'a key that exceeds its rate': [
      ['rate'],
      history([ADDED], {
        uses: Array.from({ length: 21 }, (_, i) => ({ sent: i, ended: i + 1, isAdmitted: true })),
        rate: { limit: 10, seconds: 1, restarts: 0, lapses: 0, patience: 250 },
      }),
    ],
    'a response with internal_error': [
      ['answer'],
      history([ADDED, { ...get([20, 30], 1), outcome: 'unknown', answer: '500', isWrong: true }]),
    ],
  };
  it.each(Object.entries(bad))('%s', (_, [expected, found]) => expect(rules(found)).toEqual(expected));
});

it('many rivals and unacknowledged orders for one pet are checked quickly', () => {
  const rivals = Array.from({ length: 12 }, (_, i) => order([20, 80 + i], 1, 100 + i, UNKNOWN));
  const reads = Array.from({ length: 500 }, (_, i) => get([100 + i, 101 + i], 1, 'pending'));
  const found = history([ADDED, ...rivals, ...reads], PENDING);
  expect(checkHistory(found)).toEqual([]);
  expect(rules(history([...found.operations, get([700, 701], 1, 'available')], PENDING))).toEqual([
    'impossible',
  ]);
});
