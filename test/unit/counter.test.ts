import { expect, it } from 'vitest';
import { counter } from '../support/counter.js';

it('a builder counts its examples from 1 in each file of tests, also while vitest collects them', () => {
  const next = counter();
  expect([next(), next()]).toEqual([1, 2]);
  const { testPath } = expect.getState();
  expect(testPath).toBe(import.meta.filename);
  expect.setState({ testPath: 'another.test.ts' });
  const counted = [next(), next()];
  expect.setState({ testPath: testPath! });
  expect([...counted, next()]).toEqual([1, 2, 1]);
});
