import { expect, it } from 'vitest';
import { Readiness } from '../../../../src/platform/health/readiness.js';

it('a service is ready from the end of its start until it is told to stop', () => {
  const readiness = new Readiness();
  expect([readiness.isReady, readiness.isStopping]).toEqual([false, false]);
  readiness.declare();
  expect([readiness.isReady, readiness.isStopping]).toEqual([true, false]);
  readiness.withdraw();
  expect([readiness.isReady, readiness.isStopping]).toEqual([false, true]);
});

it('a service that is told to stop during its start never becomes ready', () => {
  const readiness = new Readiness();
  readiness.withdraw();
  readiness.declare();
  expect([readiness.isReady, readiness.isStopping]).toEqual([false, true]);
});
