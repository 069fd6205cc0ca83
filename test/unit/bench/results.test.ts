import { expect, test } from 'vitest';
import { type Life, resultsOf, type Run } from '../../bench/figures/results.js';
import type { ServerName } from '../../bench/servers/servers.js';

function life(server: ServerName, requestsPerSecond: number, faults: string[] = []): Life {
  const run: Run = {
    server,
    scenario: 'create',
    connections: 8,
    requests: 10,
    requestsPerSecond,
    bytesPerAnswer: 500,
    p50Ms: 1,
    p99Ms: 2,
    cpuSecondsPer1000: 0.1,
    residentMiB: 100,
    faults,
  };
  return { server, readyMs: 100, restMiB: 90, peakMiB: 200, runs: [run] };
}

test('the service is compared with each peer by the medians of the rounds', () => {
  const rounds = [90, 100, 500].flatMap((speed) => [life('service', speed), life('nest', speed / 2)]);
  const { results } = resultsOf(rounds);
  expect(results.map(({ server, serviceRatio }) => [server, serviceRatio])).toEqual([
    ['service', undefined],
    ['nest', 2],
  ]);
});

test('a run with a fault is reported and not counted', () => {
  const { results, faults } = resultsOf([life('fastify', 100), life('fastify', 9_000, ['3 timeouts'])]);
  expect(results).toMatchObject([{ goodRuns: 1, requestsPerSecond: { median: 100, max: 100 } }]);
  expect(faults).toEqual(['fastify, create, 8 connections: 3 timeouts']);
});

test('without a successful run there are no figures', () => {
  const { results } = resultsOf([life('service', 100), life('nest', 50, ['3 timeouts'])]);
  expect(results[1]).toEqual({ server: 'nest', scenario: 'create', connections: 8, goodRuns: 0 });
});
