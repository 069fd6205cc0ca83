import { expect, test } from 'vitest';
import { placesOf } from '../../bench/figures/growth.js';
import type { Measured } from '../../bench/servers/running-server.js';

const seen = (requestsPerSecond: number, ...faults: string[]): Measured => ({
  requests: 1,
  requestsPerSecond,
  bytesPerAnswer: 1,
  p50Ms: 1,
  p99Ms: 2,
  faults,
  cpuMicrosPerRequest: 30,
  residentMiB: 100,
});
const load = () => Promise.resolve(seen(1));
const PLACES = [10_000, 10_000_000].map((at) => ({ at, load }));

test('each place has the median of its own turns, and all of their faults', () => {
  const turns = [
    [seen(300), seen(100), seen(200)],
    [seen(7), seen(7, '1 timeouts')],
  ];
  expect(placesOf('get-random', PLACES, turns)).toMatchObject([
    { at: 10_000, requestsPerSecond: { median: 200, min: 100, max: 300 }, faults: [] },
    { at: 10_000_000, requestsPerSecond: { median: 7 }, faults: ['1 timeouts'] },
  ]);
});
