import { describe, expect, test } from 'vitest';
import { DECLARED, SHAPES, textOf, textOfLength } from '../../bench/bodies/shapes.js';

const LENGTH = 100_000;

describe.each([...SHAPES, DECLARED])('The hostile body $name', (shape) => {
  test('is valid JSON, and nearly as long as it may be', () => {
    const text = textOfLength(shape, LENGTH);
    expect(text.length).toBeLessThanOrEqual(LENGTH);
    expect(text.length).toBeGreaterThan(0.98 * LENGTH);
    expect(JSON.parse(text)).toBeTypeOf('object');
  });

  test('repeats its part as often as the benchmark requests', () => {
    const [two, four] = [2, 4].map((times) => textOf(shape, times).length) as [number, number];
    const one = shape.part(0).length + shape.separator.length;
    expect(four - two).toBe(2 * one);
  });
});
