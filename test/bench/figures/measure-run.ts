import { type Bench, inWords, type Run, type Shape } from './bench.js';
import { additionsOwed } from './lost-animals.js';
import { runAtRate } from '../traffic/open-loop.js';
import type { RunningServer } from '../servers/running-server.js';
import type { ScenarioName } from '../traffic/scenarios.js';
import { CONTENDERS, type ServerName } from '../servers/servers.js';
import { runWrk } from '../traffic/wrk.js';

/** Runs one scenario in one shape: a number of connections, or a rate. */
export async function measureRun(
  name: ServerName,
  server: RunningServer,
  scenario: ScenarioName,
  shape: Shape,
  { options, database, traffic, key, progress, signal }: Bench,
): Promise<Run> {
  progress.doing(`${name}: ${scenario}, ${inWords(shape)}`);
  const { file, requests } = await traffic.of(scenario, CONTENDERS[name].paging);
  const before = server.usage();
  const animalsBefore = await database.countAfter(options.animals);
  const { connections, rate } = shape;
  const load = { origin: server.origin, key: key.secret, connections, seconds: options.seconds };
  const seen =
    rate === undefined
      ? await runWrk({ ...load, file }, signal)
      : await runAtRate({ ...load, requests, rate }, signal);
  const after = server.usage();
  const added = (await database.countAfter(options.animals)) - animalsBefore;
  const lost = additionsOwed(requests, seen.requests, connections) - added;
  const faults = lost > 0 ? [...seen.faults, `${lost} new animals are not in the table`] : seen.faults;
  progress.done({ ...seen, faults });
  return {
    server: name,
    scenario,
    ...shape,
    ...seen,
    faults,
    cpuSecondsPer1000: ((after.cpuSeconds - before.cpuSeconds) / seen.requests) * 1000,
    residentMiB: after.residentMiB,
  };
}
