import { expect, test } from 'vitest';
import { percentile, rounded, spreadOf } from '../../bench/figures/statistics.js';

test('the median of an odd number of values is the one in the middle, in whatever order they come', () => {
  expect(spreadOf([30, 100, 20])).toEqual({ median: 30, min: 20, max: 100 });
});

test('the median of an even number of values lies between the two in the middle', () => {
  expect(spreadOf([4, 1, 2, 9])).toEqual({ median: 3, min: 1, max: 9 });
});

test('of nothing there is no spread', () => {
  expect(spreadOf([])).toBeUndefined();
});

test('four digits are kept', () => {
  expect([12_345.6, 0.123_456].map(rounded)).toEqual([12_350, 0.1235]);
});

test('a percentile is a value that was measured, in whatever order they come', () => {
  const hundred = Float64Array.from({ length: 100 }, (_, i) => 100 - i);
  expect([1, 50, 99, 100].map((percent) => percentile(hundred, percent))).toEqual([1, 50, 99, 100]);
  expect(percentile(Float64Array.of(7), 50)).toBe(7);
});
