import { expect, test } from 'vitest';
import { barsOf, curvesOf } from '../../bench/figures/plots.js';

const of = (median: number) => ({ median, min: median - 1, max: median + 1 });

test('a plot of the servers names each server and each scenario, at one number of connections', async () => {
  const spread = of(1);
  const shape = { server: 'fastify', goodRuns: 1 } as const;
  const plot = await barsOf(
    {
      servers: [{ name: 'fastify', title: 'Fastify 5', readyMs: spread, restMiB: spread, peakMiB: spread }],
      results: [
        { ...shape, scenario: 'mix', connections: 64, requestsPerSecond: of(100) },
        { ...shape, scenario: 'create', connections: 1, requestsPerSecond: of(7) },
        { ...shape, scenario: 'paced', connections: 64, rate: 5_000, requestsPerSecond: of(5_000) },
      ],
      faults: [],
    },
    64,
  );
  expect(plot).toMatch(/^<svg/);
  expect(plot).toContain('scenario: mix; median: 100; server: Fastify 5');
  expect(plot).not.toMatch(/create|paced/);
});

test('a plot of growth has a panel for each quantity', async () => {
  const place = { scenario: 'mix', faults: [], p50Ms: of(1), p99Ms: of(1), residentMiB: of(1) } as const;
  const at = (value: number, rate: number) => ({
    ...place,
    at: value,
    requestsPerSecond: of(rate),
    cpuMicrosPerRequest: of(1),
  });
  const plot = await curvesOf([
    { what: 'animals', places: [at(10_000, 5), at(100_000, 6)] },
    { what: 'connections', places: [at(1, 3)] },
  ]);
  for (const text of ['animals', 'connections', '10k', '100k']) expect(plot).toContain(`>${text}<`);
});
