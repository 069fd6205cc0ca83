import type { Bench, Life, Run } from './bench.js';
import { without } from './levers.js';
import { measureRun } from './measure-run.js';
import { PLACES } from './places.js';
import { quiet, undisturbed } from './quiet.js';
import { RunningServer } from './running-server.js';
import { CONTENDERS, type ServerName } from './servers.js';
import { runWrk } from './wrk.js';

const WARM_UP_CONNECTIONS = 64;
const LONGEST_WARM_UP_SECONDS = 2;
/** As many requests of each scenario are held against the other servers' answers. */
const COMPARED = 20;

/** What a server of the bench gets to know: the service what a production has, the peers what they need. */
function surroundingsOf(server: ServerName, { options, database, key }: Bench) {
  const shared = { DATABASE_URL: database.url };
  if (server !== 'service') return { environment: { ...shared, API_KEY_SHA256: key.sha256 } };
  const own = { ...shared, LOG_LEVEL: 'warn', ...options.env };
  if (options.without.length === 0) return { environment: own };
  const { nodeArgs, environment } = without(options.without, PLACES.bench);
  return { nodeArgs, environment: { ...own, ...environment } };
}

/** Starts a server, measures it in every scenario, and leaves the table as it was. */
export async function measure(name: ServerName, bench: Bench): Promise<Life> {
  const { database, key, options, signal } = bench;
  const { script } = CONTENDERS[name];
  await quiet(signal);
  const server = await RunningServer.start(
    { script, key: key.secret, ...surroundingsOf(name, bench) },
    signal,
  );
  try {
    await compare(name, server, bench);
    await warmUp(name, server, bench);
    const runs: Run[] = [];
    for (const scenario of options.scenarios) {
      for (const connections of options.connections)
        runs.push(await undisturbed(() => measureRun(name, server, scenario, connections, bench), signal));
    }
    return { server: name, readyMs: server.readyMs, peakMiB: server.usage().peakMiB, runs };
  } finally {
    await server.stop();
    await database.resetTo(options.animals);
  }
}

async function compare(name: ServerName, server: RunningServer, { options, traffic, agreement }: Bench) {
  for (const scenario of options.scenarios) {
    const { requests } = await traffic.of(scenario, CONTENDERS[name].paging);
    // Not `mix`: what it lists depends on what it has added by then.
    if (scenario === 'mix') continue;
    for (const [i, request] of requests.slice(0, COMPARED).entries())
      await agreement.check(name, server, `${scenario} ${i}`, request);
  }
}

async function warmUp(
  name: ServerName,
  server: RunningServer,
  { options, traffic, key, progress, signal }: Bench,
) {
  for (const scenario of options.scenarios) {
    progress.doing(`${name}: warming up, ${scenario}`);
    const { file } = await traffic.of(scenario, CONTENDERS[name].paging);
    const seconds = Math.min(LONGEST_WARM_UP_SECONDS, options.seconds / 3);
    const load = { origin: server.origin, key: key.secret, file, connections: WARM_UP_CONNECTIONS, seconds };
    await runWrk(load, signal);
  }
}
