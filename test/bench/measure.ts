import type { Bench, Life, Run } from './bench.js';
import { measureRun } from './measure-run.js';
import { quiet, undisturbed } from './quiet.js';
import { RunningServer } from './running-server.js';
import type { ScenarioName } from './scenarios.js';
import { CONTENDERS, type ServerName, surroundingsOf } from './servers.js';
import { WARM_UP } from './warm-up.js';
import { runWrk } from './wrk.js';

/** As many requests of each scenario are held against the other servers' answers. */
const COMPARED = 20;

/** Starts a server, measures it in every scenario, and leaves the table as it was. */
export async function measure(name: ServerName, bench: Bench): Promise<Life> {
  const { database, key, options, signal } = bench;
  const { script } = CONTENDERS[name];
  await quiet(signal);
  const server = await RunningServer.start(
    { script, key: key.secret, ...surroundingsOf(name, { ...options, url: database.url, key }) },
    signal,
  );
  try {
    await compare(name, server, bench);
    const runs: Run[] = [];
    for (const scenario of options.scenarios) {
      // Just before it is measured: what other scenarios have added would still be on its way to the disk.
      await warmUp(name, server, scenario, bench);
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
  scenario: ScenarioName,
  { options, traffic, key, progress, signal }: Bench,
) {
  progress.doing(`${name}: warming up, ${scenario}`);
  const { file } = await traffic.of(scenario, CONTENDERS[name].paging);
  const shape = options.quick ? { ...WARM_UP, seconds: WARM_UP.seconds / 4 } : WARM_UP;
  await runWrk({ origin: server.origin, key: key.secret, file, ...shape }, signal);
}
