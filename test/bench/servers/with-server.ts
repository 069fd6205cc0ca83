import { setInterval } from 'node:timers/promises';
import { freePort } from '../../support/processes/local-program.js';
import type { Bench } from '../figures/bench.js';
import { RunningServer } from './running-server.js';
import { CONTENDERS, type ServerName, surroundingsOf } from './servers.js';

/** A short Prometheus scrape interval, as used for close monitoring. */
const SCRAPE_EVERY_MS = 1_000;
/** Number of requests per scenario whose responses are compared with the other servers'. */
const COMPARED = 20;

type Surroundings = Pick<Bench, 'database' | 'key' | 'traffic' | 'agreement' | 'signal'> & {
  readonly options: Pick<Bench['options'], 'scenarios' | 'animals' | 'env' | 'without'>;
};

/** Starts a server, checks that it responds like the others, and restores the table afterwards. */
export async function withServer<Result>(
  name: ServerName,
  bench: Surroundings,
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  const { database, key, options, signal } = bench;
  const { script } = CONTENDERS[name];
  const metricsPort = await freePort();
  const env = { ...options.env, METRICS_PORT: String(metricsPort) };
  const surroundings = surroundingsOf(name, { ...options, env, url: database.url, key });
  const server = await RunningServer.start({ script, key: key.secret, ...surroundings }, signal);
  try {
    await compare(name, server, bench);
    const end = new AbortController();
    const working = work(server).finally(() => end.abort());
    const scraping = name === 'service' && scrape(metricsPort, end.signal);
    const [result] = await Promise.all([working, scraping]);
    return result;
  } finally {
    await server.stop();
    await database.resetTo(options.animals);
  }
}

/** Scrapes the metrics until aborted. @throws Error if the service does not provide them */
async function scrape(port: number, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of setInterval(SCRAPE_EVERY_MS, undefined, { signal })) {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
      await response.text();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function compare(
  name: ServerName,
  server: RunningServer,
  { options, traffic, agreement }: Surroundings,
) {
  await agreement.checkRefusals(name, server);
  for (const scenario of options.scenarios) {
    const { requests } = await traffic.of(scenario, CONTENDERS[name].paging);
    // Not `mix`: its lists depend on the animals that it has added so far.
    if (scenario === 'mix') continue;
    for (const [i, request] of requests.slice(0, COMPARED).entries())
      await agreement.check(name, server, `${scenario} ${i}`, request);
  }
}
