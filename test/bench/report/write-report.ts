import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchOptions } from '../command/options.js';
import type { machineFacts } from '../servers/machine.js';
import type { Results } from '../figures/results.js';
import { SCENARIOS } from '../traffic/scenarios.js';
import { barsOf } from './bars.js';
import { linesOf } from './lines.js';

/** Writes figures and plots into a folder. The facts about the machine do not identify it. */
export async function writeReport(
  folder: string,
  results: Results,
  machine: ReturnType<typeof machineFacts>,
  options: BenchOptions,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const report = {
    date: new Date().toISOString(),
    machine,
    options: { ...options, out: undefined },
    scenarios: SCENARIOS,
    ...results,
  };
  await writeFile(join(folder, 'latest.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  for (const connections of options.connections)
    await writeFile(join(folder, `requests-${connections}.svg`), barsOf(results, connections));
  await writeFile(join(folder, 'connections.svg'), linesOf(results));
}
