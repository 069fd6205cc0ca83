import Table from 'cli-table3';
import type { Result, Results } from './results.js';
import type { Spread } from './statistics.js';

/** A table for a terminal; `head` has the titles of its columns, with two spaces or more in between. */
export const tableOf = (head: string) =>
  new Table({ head: head.split(/ {2,}/), style: { head: [], border: [], compact: true } });

/** The results for a terminal. */
export function tablesOf({ servers, results, faults }: Results): string {
  const latency = 'p50 ms  min..max  p99 ms  min..max';
  const runs = tableOf(
    'scenario  conn.  server  req/s  min..max  p50 ms  p99 ms  CPU s/1000  RSS MiB  service : it',
  );
  const paced = tableOf(`scenario  asked/s  server  req/s  ${latency}  CPU s/1000`);
  for (const result of results)
    if (result.rate === undefined) runs.push(rowOf(result));
    else paced.push(pacedRowOf(result, result.rate));
  const starts = tableOf('server  title  ready ms  rest MiB  peak MiB');
  for (const { name, title, readyMs, restMiB, peakMiB } of servers)
    starts.push([name, title, inWords(readyMs), inWords(restMiB), inWords(peakMiB)]);
  const bad =
    faults.length > 0 ? ['Left out, because of faults:', ...faults.map((fault) => `  ${fault}`)] : [];
  return [runs.toString(), paced.toString(), starts.toString(), ...bad, ''].join('\n');
}

function rowOf(result: Result): (string | number)[] {
  const { scenario, connections, server, requestsPerSecond, serviceRatio } = result;
  return [
    scenario,
    connections,
    server,
    median(requestsPerSecond),
    rangeOf(requestsPerSecond),
    median(result.p50Ms),
    median(result.p99Ms),
    median(result.cpuSecondsPer1000),
    median(result.residentMiB),
    serviceRatio?.toFixed(2) ?? '',
  ];
}

function pacedRowOf(
  { scenario, server, requestsPerSecond, p50Ms, p99Ms, cpuSecondsPer1000 }: Result,
  rate: number,
): (string | number)[] {
  const latencies = [p50Ms, p99Ms].flatMap((spread) => [median(spread), rangeOf(spread)]);
  return [scenario, rate, server, median(requestsPerSecond), ...latencies, median(cpuSecondsPer1000)];
}

const median = (spread: Spread | undefined) => spread?.median ?? 'faulty';
const rangeOf = (spread: Spread | undefined) => (spread ? `${spread.min}..${spread.max}` : '');

const inWords = ({ median, min, max }: Spread) =>
  `${Math.round(median)} (${Math.round(min)}..${Math.round(max)})`;
