// Measures the service beside the same API in other frameworks; see README.md in the source folder.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from './command/options.js';
import { PLACES } from './command/places.js';
import { runProgram } from './command/program.js';
import { measureRounds } from './figures/measure.js';
import { barsOf } from './figures/plots.js';
import { resultsOf } from './figures/results.js';
import { tablesOf } from './figures/tables.js';
import { fillTable } from './servers/database.js';
import { machineFacts } from './servers/machine.js';
import { Agreement } from './servers/with-server.js';
import { SCENARIOS } from './traffic/scenarios.js';

const options = readOptions(process.argv.slice(2));
// Before the program has its temporary folder, which is removed.
const temporary = tmpdir();

await runProgram(async (folder, signal) => {
  const { database, key, traffic } = await fillTable(join(folder, 'table'), options);
  try {
    const bench = { options, database, key, traffic, agreement: new Agreement(), signal };
    const results = resultsOf(await measureRounds(bench));
    process.stdout.write(tablesOf(results));
    const facts = { date: new Date().toISOString(), machine: machineFacts(database.version) };
    const report = { ...facts, options: { ...options, out: undefined }, scenarios: SCENARIOS, ...results };
    const place = options.quick ? await mkdtemp(join(temporary, 'petstore-bench-results-')) : PLACES.results;
    const out = options.out ?? place;
    await mkdir(out, { recursive: true });
    await writeFile(join(out, 'latest.json'), `${JSON.stringify(report, undefined, 2)}\n`);
    for (const connections of options.connections)
      await writeFile(join(out, `requests-${connections}.svg`), await barsOf(results, connections));
    process.stdout.write(`Figures and plots: ${out}\n`);
    return results.faults.length === 0;
  } finally {
    await database.stop();
  }
});
