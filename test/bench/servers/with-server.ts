import type { Bench } from '../figures/bench.js';
import { RunningServer } from './running-server.js';
import { CONTENDERS, type ServerName, surroundingsOf } from './servers.js';

/** As many requests of each scenario are held against the other servers' answers. */
const COMPARED = 20;

type Surroundings = Pick<Bench, 'database' | 'key' | 'traffic' | 'agreement' | 'signal'> & {
  readonly options: Pick<Bench['options'], 'scenarios' | 'animals' | 'env' | 'without'>;
};

/** Starts a server, sees to it that it does what the others do, and leaves the table as it was. */
export async function withServer<Result>(
  name: ServerName,
  bench: Surroundings,
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  const { database, key, options, signal } = bench;
  const { script } = CONTENDERS[name];
  const surroundings = surroundingsOf(name, { ...options, url: database.url, key });
  const server = await RunningServer.start({ script, key: key.secret, ...surroundings }, signal);
  try {
    await compare(name, server, bench);
    return await work(server);
  } finally {
    await server.stop();
    await database.resetTo(options.animals);
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
    // Not `mix`: what it lists depends on what it has added by then.
    if (scenario === 'mix') continue;
    for (const [i, request] of requests.slice(0, COMPARED).entries())
      await agreement.check(name, server, `${scenario} ${i}`, request);
  }
}
