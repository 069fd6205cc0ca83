// Measures the service beside the same API in other frameworks; see README.md in the source folder.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agreement } from './servers/agreement.js';
import { fillTable } from './servers/filled-table.js';
import { untilInterrupted } from './command/interruption.js';
import { machineFacts } from './servers/machine.js';
import type { Bench, Life } from './figures/bench.js';
import { measure } from './figures/measure.js';
import { type BenchOptions, readOptions } from './command/options.js';
import { PLACES } from './command/places.js';
import { Progress } from './command/progress.js';
import { ratesOf } from './traffic/rates.js';
import { tablesOf } from './report/table.js';
import { writeReport } from './report/write-report.js';
import { resultsOf } from './figures/results.js';
import { inWorkspace } from './command/workspace.js';
import { needWrk } from './traffic/wrk.js';

const options = readOptions(process.argv.slice(2));
process.exitCode = await untilInterrupted(async (signal) => {
  needWrk();
  const { lives, machine } = await inWorkspace((folder) => measureAll(options, folder, signal));
  const results = resultsOf(lives);
  process.stdout.write(tablesOf(results));
  const out =
    options.out ??
    (options.quick ? await mkdtemp(join(tmpdir(), 'petstore-bench-results-')) : PLACES.results);
  await writeReport(out, results, machine, options);
  process.stdout.write(`Figures and plots: ${out}\n`);
  return results.faults.length === 0;
});

async function measureAll(options: BenchOptions, folder: string, signal: AbortSignal) {
  const { database, key, traffic } = await fillTable(join(folder, 'table'), options, signal);
  try {
    const { rounds, servers, scenarios, connections } = options;
    const runs = rounds * servers.length * scenarios.length * (connections.length + 1);
    const progress = new Progress(runs + (options.rate === undefined ? scenarios.length : 0));
    try {
      const bench = { options, database, key, traffic, agreement: new Agreement(), progress, signal };
      return { lives: await measureRounds(bench), machine: machineFacts(database.version) };
    } finally {
      progress.stop();
    }
  } finally {
    await database.stop();
  }
}

/** Each round starts with a different server, so that none is always first on a machine that warms up or becomes busy. */
async function measureRounds(bench: Bench): Promise<Life[]> {
  const { rounds, servers } = bench.options;
  const rates = await ratesOf(bench);
  const lives: Life[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < servers.length; i++)
      lives.push(await measure(servers[(round + i) % servers.length]!, bench, rates));
  }
  return lives;
}
