import Table from 'cli-table3';
import type { Result, Results } from '../results.js';
import type { Spread } from '../statistics.js';

/** The results for a terminal. */
export function tablesOf({ servers, results, faults }: Results): string {
  const runs = new Table({
    head: [
      'scenario',
      'conn.',
      'server',
      'req/s',
      'min..max',
      'p50 ms',
      'p99 ms',
      'CPU s/1000',
      'RSS MiB',
      'service : it',
    ],
    style: { head: [], border: [], compact: true },
  });
  for (const result of results) runs.push(rowOf(result));
  const starts = new Table({
    head: ['server', '', 'ready ms', 'peak MiB'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, title, readyMs, peakMiB } of servers)
    starts.push([name, title, inWords(readyMs), inWords(peakMiB)]);
  const bad =
    faults.length > 0 ? ['Left out, because of faults:', ...faults.map((fault) => `  ${fault}`)] : [];
  return [runs.toString(), starts.toString(), ...bad, ''].join('\n');
}

function rowOf(result: Result): (string | number)[] {
  const { scenario, connections, server, requestsPerSecond, serviceRatio } = result;
  const median = (spread: Spread | undefined) => spread?.median ?? 'faulty';
  return [
    scenario,
    connections,
    server,
    requestsPerSecond ? Math.round(requestsPerSecond.median) : 'faulty',
    requestsPerSecond ? `${Math.round(requestsPerSecond.min)}..${Math.round(requestsPerSecond.max)}` : '',
    median(result.p50Ms),
    median(result.p99Ms),
    median(result.cpuSecondsPer1000),
    median(result.residentMiB),
    serviceRatio?.toFixed(2) ?? '',
  ];
}

const inWords = ({ median, min, max }: Spread) =>
  `${Math.round(median)} (${Math.round(min)}..${Math.round(max)})`;
