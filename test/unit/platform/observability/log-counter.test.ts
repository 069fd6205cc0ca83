import { beforeEach, expect, it, vi } from 'vitest';
import { LogCounter } from '../../../../src/platform/observability/logging/log-counter.js';

beforeEach(() => void vi.useFakeTimers());

it('the first event is logged at once, and the others as a sum every ten seconds', () => {
  const told: number[] = [];
  const counter = new LogCounter((count) => void told.push(count));
  for (let i = 0; i < 1_000; i++) counter.add();
  expect(told).toEqual([1]);
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual([1, 999]);
  vi.advanceTimersByTime(60_000);
  expect([told, vi.getTimerCount()]).toEqual([[1, 999], 0]);
  counter.add();
  expect(told).toEqual([1, 999, 1]);
});

it('events that are not logged yet are logged at the end, and nothing later', () => {
  const told: number[] = [];
  const counter = new LogCounter((count) => void told.push(count));
  for (let i = 0; i < 5; i++) counter.add();
  counter.end();
  counter.end();
  expect([told, vi.getTimerCount()]).toEqual([[1, 4], 0]);
});
