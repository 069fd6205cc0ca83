import { expect, it } from 'vitest';
import { Readiness } from '../../../../../src/platform/ops/health/readiness.js';
import { ManualClock } from '../../../../support/clocks.js';

it('a service is ready from the end of its start until it is told to stop', () => {
  const readiness = new Readiness(new ManualClock());
  expect([readiness.isReady, readiness.isStopping]).toEqual([false, false]);
  readiness.markReady();
  expect([readiness.isReady, readiness.isStopping]).toEqual([true, false]);
  readiness.markStopping();
  expect([readiness.isReady, readiness.isStopping]).toEqual([false, true]);
});

it('a service that is told to stop during its start never becomes ready', () => {
  const readiness = new Readiness(new ManualClock());
  readiness.markStopping();
  readiness.markReady();
  expect([readiness.isReady, readiness.isStopping]).toEqual([false, true]);
});
