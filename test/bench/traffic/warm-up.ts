import type { Bench } from '../figures/bench.js';
import type { RunningServer } from '../servers/running-server.js';
import type { ScenarioName } from './scenarios.js';
import { CONTENDERS, type ServerName } from '../servers/servers.js';
import { runWrk } from './wrk.js';

/**
 * Warm-up load of each scenario on each server before a measurement: enough for V8 to compile the hot code, however few
 * connections the measurement has.
 */
export const WARM_UP = { connections: 64, seconds: 2 };

export async function warmUp(
  name: ServerName,
  server: RunningServer,
  scenario: ScenarioName,
  { options, traffic, key, progress, signal }: Bench,
): Promise<void> {
  progress.doing(`${name}: warming up, ${scenario}`);
  const { file } = await traffic.of(scenario, CONTENDERS[name].paging);
  const shape = options.quick ? { ...WARM_UP, seconds: WARM_UP.seconds / 4 } : WARM_UP;
  await runWrk({ origin: server.origin, key: key.secret, file, ...shape }, signal);
}
