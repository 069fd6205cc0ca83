import { expect, test } from 'vitest';
import { linearScale, ordinalScale } from '../../bench/report/scale.js';

test('a scale goes from zero to a round number that holds the largest value', () => {
  const scale = linearScale(8_700, 300, 0);
  expect(scale.ticks).toEqual([0, 2000, 4000, 6000, 8000, 10_000]);
  expect([0, 5000, 10_000].map(scale.at)).toEqual([300, 150, 0]);
});

test.each([
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [500, [0, 100, 200, 300, 400, 500]],
  [12, [0, 5, 10, 15]],
])('the ticks up to %d', (largest, ticks) => {
  expect(linearScale(largest, 0, 1).ticks.map((tick) => Number(tick.toFixed(6)))).toEqual(ticks);
});

test('numbers of connections stand at the same distance, a single one at the start', () => {
  expect([1, 8, 64].map(ordinalScale([1, 8, 64], 10, 110).at)).toEqual([10, 60, 110]);
  expect(ordinalScale([64], 10, 110).at(64)).toBe(10);
});
