import type { Bench } from '../figures/bench.js';
import { measureRun } from '../figures/measure-run.js';
import { quiet, undisturbed } from './quiet.js';
import type { ScenarioName } from './scenarios.js';
import { warmUp } from './warm-up.js';
import { withServer } from '../servers/with-server.js';

/** Connections at which Fastify's peak is measured, and over which requests are sent at a rate. */
export const RATE_CONNECTIONS = 64;

/** The rate for every server in each scenario: half of Fastify's peak throughput, unless one is given. */
export async function ratesOf(bench: Bench): Promise<ReadonlyMap<ScenarioName, number>> {
  const { options, signal } = bench;
  const { rate, scenarios } = options;
  if (rate !== undefined) return new Map(scenarios.map((scenario) => [scenario, rate]));
  await quiet(signal);
  return withServer('fastify', bench, async (server) => {
    const rates = new Map<ScenarioName, number>();
    for (const scenario of scenarios) {
      await warmUp('fastify', server, scenario, bench);
      const peak = () => measureRun('fastify', server, scenario, { connections: RATE_CONNECTIONS }, bench);
      const { requestsPerSecond } = await undisturbed(peak, signal);
      rates.set(scenario, Math.round(requestsPerSecond / 2));
    }
    return rates;
  });
}
