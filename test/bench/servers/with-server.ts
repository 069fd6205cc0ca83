import { setInterval } from 'node:timers/promises';
import { freePort } from '../../support/processes/local-program.js';
import type { Bench } from '../figures/measure.js';
import type { BenchRequest } from '../traffic/scenarios.js';
import { RunningServer } from './running-server.js';
import { CONTENDERS, environmentOf, type ServerName } from './servers.js';

/** A short Prometheus scrape interval, as used for close monitoring. */
const SCRAPE_EVERY_MS = 1_000;
/** Number of requests per scenario whose responses are compared with the other servers'. */
const COMPARED = 20;

type Surroundings = Pick<Bench, 'database' | 'key' | 'traffic' | 'agreement' | 'signal'> & {
  readonly options: Pick<Bench['options'], 'scenarios' | 'animals' | 'env'>;
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
  const environment = environmentOf(name, database.url, key, env);
  const server = await RunningServer.start({ script, key: key.secret, environment }, signal);
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
    // Not `mix`: its lists depend on the pets that it has added so far.
    if (scenario === 'mix') continue;
    for (const [i, request] of requests.slice(0, COMPARED).entries())
      await agreement.check(name, server, `${scenario} ${i}`, request);
  }
}

const add = (body: string): BenchRequest => ({ method: 'POST', path: '/v1/pets', body });
const get = (path: string): BenchRequest => ({ method: 'GET', path });

const REFUSED: readonly (readonly [status: number, request: BenchRequest])[] = [
  [400, get('/v1/pets?status=gone')],
  [400, get('/v1/pets?limit=0')],
  [400, get('/v1/pets?limit=101')],
  [400, add('{"name":"Rex"')],
  [400, add('{"categoryId":1}')],
  [400, add('{"name":"","categoryId":1}')],
  [400, add(`{"name":"${'x'.repeat(256)}","categoryId":1}`)],
  [400, add('{"name":"Rex"}')],
  [400, add('{"name":"Rex","categoryId":1.5}')],
  [400, add('{"name":"Rex","categoryId":1,"status":"gone"}')],
  [404, get('/v1/pets/999999999999')],
];

/** Checks that the compared servers do the same: each must give the same responses as the first. */
export class Agreement {
  readonly #answers = new Map<string, string>();

  /** `question` names the request across all servers, whose paging URLs differ. */
  async check(name: string, server: RunningServer, question: string, request: BenchRequest): Promise<void> {
    const text = await expectStatus(request.method === 'POST' ? 201 : 200, name, server, request);
    const answer = request.method === 'POST' ? withoutId(text) : withExactIntegers(text);
    const known = this.#answers.get(question) ?? answer;
    this.#answers.set(question, known);
    if (answer !== known)
      throw new Error(
        `${name} answers ${request.method} ${request.path} unlike the first server:\n${answer}\n${known}`,
      );
  }

  async checkRefusals(name: string, server: RunningServer): Promise<void> {
    for (const [status, request] of REFUSED) await expectStatus(status, name, server, request);
    await expectStatus(401, name, server, get('/v1/pets/1'), 'a key that nobody knows');
  }
}

async function expectStatus(
  wanted: number,
  name: string,
  server: RunningServer,
  { method, path, body }: BenchRequest,
  key?: string,
): Promise<string> {
  const response = await server.ask(method, path, body, key);
  const text = await response.text();
  if (response.status !== wanted)
    throw new Error(`${name} answers ${method} ${path} with ${response.status}, not ${wanted}: ${text}`);
  return text;
}

/** Some peers can write large integers only as strings; this is accepted, and stated in the results. */
function withExactIntegers(json: string): string {
  return json.replaceAll(/"(id|categoryId)":"(-?\d+)"/g, '"$1":$2');
}

/** Each server assigns new ids from a different start. */
function withoutId(json: string): string {
  return json.replace(/"id":\d+,/, '');
}
