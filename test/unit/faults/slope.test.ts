import { expect, it } from 'vitest';
import { secondHalf, slopeOf } from '../../faults/support/slope.js';

const line = (yOf: (x: number) => number) => Array.from({ length: 101 }, (_, x) => ({ x, y: yOf(x) }));

it('the slope of a line is found, also if the values vary around it', () => {
  expect(slopeOf(line((x) => 7 + 3 * x))).toBeCloseTo(3, 9);
  expect(slopeOf(line(() => 7))).toBeCloseTo(0, 9);
  expect(slopeOf(line((x) => 3 * x + (x % 2)))).toBeCloseTo(3, 2);
});

it('the second half of a run does not contain its warm-up', () => {
  const warming = line((x) => (x < 50 ? 10 * x : 500));
  expect(slopeOf(warming)).toBeGreaterThan(3);
  expect(slopeOf(secondHalf(warming))).toBeCloseTo(0, 9);
});

it('a slope is not a number without two places to compare', () => {
  expect(slopeOf([{ x: 1, y: 2 }])).toBeNaN();
  expect(slopeOf(secondHalf([]))).toBeNaN();
});
