// Estimates the resources that a rate needs over several machines, from the request costs measured on one.
import Table from 'cli-table3';
import { untilInterrupted } from './command/interruption.js';
import { readSimulateOptions } from './command/simulate-options.js';
import { fewestProcesses } from './simulation/fewest-processes.js';
import { type Measured, MeasuredCosts } from './simulation/measured-costs.js';
import { type Kind, simulate } from './simulation/simulate.js';

/** The service batches up to this many reads by id, or new animals, in one statement. */
const MOST_TOGETHER = 128;
const options = readSimulateOptions(process.argv.slice(2));

process.exitCode = await untilInterrupted(async () => {
  const { rate, nodes, cores, roundTrip, mix, requests, seed, within: withinMs } = options;
  const measured = await MeasuredCosts.read(nodes);
  const all = Object.values(mix).reduce((sum, share) => sum + share, 0);
  const kinds = Object.entries(mix).map(([name, share]) => measured.kind(name as Measured, share / all));
  const commit = options.commit ?? measured.commitMs();
  printCosts(kinds);
  print(
    `A commit takes ${commit.toFixed(2)} ms besides (${options.commit === undefined ? 'as measured on one machine' : 'assumed'}), `,
    `the way to the database and back ${roundTrip} ms (assumed).\n`,
  );

  const site = { kinds, rate, nodes, cores, roundTrip, commit, mostTogether: MOST_TOGETHER };
  const found =
    options.processes === undefined
      ? fewestProcesses(site, { withinMs, requests, seed })
      : {
          processes: options.processes,
          ...simulate({ ...site, processes: options.processes }, requests, seed),
        };
  if (!found) {
    print(
      `No number of processes keeps p99 below ${withinMs} ms and leaves room: the database needs more cores.\n`,
    );
    return false;
  }
  const { processes, p50Ms, p99Ms, processUtilisation, coreUtilisation } = found;
  const head = ['requests/s', 'processes', 'busy %', 'database', 'busy %', 'p50 ms', 'p99 ms'];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  const database = `${nodes} x ${cores} cores`;
  const busy = [processUtilisation, coreUtilisation].map((share) => (share * 100).toFixed(1));
  table.push([rate, processes, busy[0], database, busy[1], p50Ms.toFixed(2), p99Ms.toFixed(2)]);
  print(`${table}\n`);
  return true;
});

function printCosts(kinds: readonly Kind[]): void {
  const head = [
    'ms of a processor',
    'share %',
    'service, a turn',
    'each',
    'node, a statement',
    'each',
    'others',
    'each',
  ];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const { name, share, service, node, apply } of kinds) {
    const costs = [service, node, apply].flatMap((cost) =>
      cost ? [cost.once.toFixed(4), cost.each.toFixed(4)] : ['', ''],
    );
    table.push([name, (share * 100).toFixed(1), ...costs]);
  }
  print(`${table}\n`);
}

function print(...words: readonly string[]): void {
  process.stdout.write(words.join(''));
}
