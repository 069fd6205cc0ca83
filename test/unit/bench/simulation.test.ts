import { expect, test } from 'vitest';
import { fitted } from '../../bench/simulation/cost.js';
import { fewestProcesses } from '../../bench/simulation/fewest-processes.js';
import { type Kind, simulate, type Site } from '../../bench/simulation/simulate.js';
import { Timeline } from '../../bench/simulation/timeline.js';

const FREE = { once: 0, each: 0 };
const REQUESTS = 100_000;
const MS = 0.1;

/** A request that costs a process 0.1 ms, and the database nothing. */
const kind = (changes: Partial<Kind> = {}): Kind => ({
  name: 'get',
  share: 1,
  service: { once: 0, each: MS },
  node: FREE,
  statements: Infinity,
  ...changes,
});

const site = (changes: Partial<Site> = {}): Site => ({
  kinds: [kind()],
  rate: 6_000,
  processes: 1,
  nodes: 1,
  cores: 1,
  roundTrip: 0,
  commit: 0,
  mostTogether: 128,
  ...changes,
});

test.each([0.3, 0.6, 0.8])('one process without batches waits like the queue M/D/1, busy for %d', (load) => {
  const { meanMs, processUtilisation } = simulate(
    site({ rate: (load * 1000) / MS, mostTogether: 1 }),
    REQUESTS,
    'queue',
  );
  const wait = (load * MS) / (2 * (1 - load)); // Pollaczek-Khinchine formula
  expect((meanMs - MS) / wait).toBeCloseTo(1, 1);
  expect(processUtilisation).toBeCloseTo(load, 2);
});

test('a database of one core waits like that queue as well', () => {
  const kinds = [kind({ service: FREE, node: { once: MS, each: 0 } })];
  const { meanMs, coreUtilisation } = simulate(site({ kinds }), REQUESTS, 'queue');
  expect((meanMs - MS) / ((0.6 * MS) / (2 * 0.4))).toBeCloseTo(1, 1);
  expect(coreUtilisation).toBeCloseTo(0.6, 2);
});

test('twice the processes are busy for half the time, and nobody waits longer', () => {
  const one = simulate(site(), REQUESTS, 'twice');
  const two = simulate(site({ processes: 2 }), REQUESTS, 'twice');
  expect(two.processUtilisation).toBeCloseTo(one.processUtilisation / 2, 2);
  expect(two.p99Ms).toBeLessThan(one.p99Ms);
});

test('who comes together shares what is paid once', () => {
  const service = { once: 0.1, each: 0.02 };
  const crowded = site({ rate: 20_000, kinds: [kind({ service })] });
  // Without sharing they would need 2.4 processes.
  expect(simulate(crowded, REQUESTS, 'share').processUtilisation).toBeLessThan(1);
  expect(simulate({ ...crowded, mostTogether: 1 }, 1_000, 'share').p99Ms).toBeGreaterThan(10);
});

test('who finds all statements under way goes with the next one', () => {
  const slow = kind({ service: FREE, node: { once: 1, each: 0 }, statements: 1 });
  const { p99Ms, coreUtilisation } = simulate(site({ kinds: [slow], cores: 4 }), REQUESTS, 'next');
  // With one statement per request 6 cores would be needed.
  expect(coreUtilisation).toBeCloseTo(1 / 4, 1);
  expect(p99Ms).toBeLessThanOrEqual(2);
});

test('every node pays for a write, one for a read', () => {
  const apply = { once: 0.01, each: 0 };
  const kinds = [
    kind({ share: 0.75, service: FREE, node: { once: 0.02, each: 0 } }),
    kind({ share: 0.25, service: FREE, node: { once: 0.04, each: 0 }, apply }),
  ];
  const cluster = site({ kinds, processes: 3, nodes: 3, cores: 2 });
  const { coreUtilisation } = simulate(cluster, REQUESTS, 'write');
  expect(coreUtilisation).toBeCloseTo((6 * (0.75 * 0.02 + 0.25 * (0.04 + 2 * 0.01))) / 6, 3);
});

test('a quiet site answers after the costs, the way to the database and the commit', () => {
  const node = { once: 0.5, each: 0 };
  const write = kind({ service: { once: 1, each: 1 }, node, apply: FREE });
  const { p50Ms } = simulate(site({ kinds: [write], rate: 1, roundTrip: 0.25, commit: 3 }), 100, 'quiet');
  expect(p50Ms).toBeCloseTo(1 + 1 + 0.5 + 0.25 + 3);
});

test('the same seed gives the same', () => {
  const cluster = site({ processes: 3, nodes: 3 });
  expect(simulate(cluster, 10_000, 'seed')).toEqual(simulate(cluster, 10_000, 'seed'));
  expect(simulate(cluster, 10_000, 'seed')).not.toEqual(simulate(cluster, 10_000, 'other'));
});

test('the fewest processes are those that one less would keep busier than is bearable', () => {
  const busy = site({ rate: 100_000, cores: 10 });
  const wanted = { withinMs: 50, requests: 20_000, seed: 'fewest' };
  // 10 cores of work at 60 % utilisation, apart from random variation.
  expect(fewestProcesses(busy, wanted)?.processes).toBeOneOf([17, 18]);
  const slow = { ...busy, commit: 60, kinds: [kind({ apply: FREE })] };
  expect(fewestProcesses(slow, wanted)).toBeUndefined();
});

test('costs are told apart by what a request costs alone and among others', () => {
  const { once, each } = fitted(0.12, 0.03, 64);
  expect(once + each).toBeCloseTo(0.12);
  expect(once / 64 + each).toBeCloseTo(0.03);
  expect(fitted(0.1, 0.11, 64)).toEqual({ once: 0, each: 0.1 });
});

test('events happen in the order of their time, whenever they were planned', () => {
  const timeline = new Timeline();
  const seen: number[] = [];
  const plan = (at: number) => timeline.at(at, () => seen.push(timeline.now));
  for (const at of [5, 3, 8, 1, 9, 2, 7]) plan(at);
  timeline.at(4, () => plan(6));
  timeline.run();
  expect(seen).toEqual([1, 2, 3, 5, 6, 7, 8, 9]);
});
