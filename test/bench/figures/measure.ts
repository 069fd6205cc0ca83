import type { Bench, Life, Run, Shape } from './bench.js';
import { measureRun } from './measure-run.js';
import { quiet, undisturbed } from '../traffic/quiet.js';
import { RATE_CONNECTIONS } from '../traffic/rates.js';
import type { ScenarioName } from '../traffic/scenarios.js';
import type { ServerName } from '../servers/servers.js';
import { warmUp } from '../traffic/warm-up.js';
import { withServer } from '../servers/with-server.js';

/** Starts a server and measures it in every scenario. */
export async function measure(
  name: ServerName,
  bench: Bench,
  rates: ReadonlyMap<ScenarioName, number>,
): Promise<Life> {
  const { options, signal } = bench;
  await quiet(signal);
  return withServer(name, bench, async (server) => {
    const restMiB = server.usage().residentMiB;
    const runs: Run[] = [];
    for (const scenario of options.scenarios) {
      // Warm-up directly before the measurement: otherwise rows added by other scenarios would still be on their way to disk.
      await warmUp(name, server, scenario, bench);
      const shapes: Shape[] = options.connections.map((connections) => ({ connections }));
      shapes.push({ connections: RATE_CONNECTIONS, rate: rates.get(scenario)! });
      for (const shape of shapes)
        runs.push(await undisturbed(() => measureRun(name, server, scenario, shape, bench), signal));
    }
    return { server: name, readyMs: server.readyMs, restMiB, peakMiB: server.usage().peakMiB, runs };
  });
}
