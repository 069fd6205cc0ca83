import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RepetitionCounter } from '../../../../src/platform/observability/logging/repetition-counter.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function counting() {
  const told: [string, number][] = [];
  const counter = new RepetitionCounter((kind, count) => void told.push([kind, count]));
  return { told, counter };
}

it('the first of each kind is told from the others, whose number is reported after ten seconds', () => {
  const { told, counter } = counting();
  expect(Array.from({ length: 5 }, () => counter.add('a'))).toEqual([true, false, false, false, false]);
  expect(counter.add('b')).toBe(true);
  vi.advanceTimersByTime(9_999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect([told, vi.getTimerCount()]).toEqual([[['a', 4]], 0]);
  expect(counter.add('a')).toBe(true);
});

it('what is not reported yet when it ends is reported then, and nothing later', () => {
  const { told, counter } = counting();
  for (const kind of ['a', 'a', 'b', 'b', 'b', 'c']) counter.add(kind);
  counter.end();
  counter.end();
  expect([told, vi.getTimerCount()]).toEqual([
    [
      ['a', 1],
      ['b', 2],
    ],
    0,
  ]);
});
