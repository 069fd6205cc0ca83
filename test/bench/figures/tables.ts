import Table from 'cli-table3';
import type { Results } from './results.js';
import type { Spread } from './statistics.js';

/** A table for a terminal; `head` has the titles of its columns, with two spaces or more in between. */
export const tableOf = (head: string) =>
  new Table({ head: head.split(/ {2,}/), style: { head: [], border: [], compact: true } });

export function tablesOf({ servers, results, faults }: Results): string {
  const latency = 'p50 ms  min..max  p99 ms  min..max';
  const runs = tableOf(
    'scenario  conn.  server  req/s  min..max  p50 ms  p99 ms  CPU s/1000  RSS MiB  service : it',
  );
  const paced = tableOf(`scenario  asked/s  server  req/s  ${latency}  CPU s/1000`);
  for (const { scenario, connections, rate, server, requestsPerSecond: reached, ...result } of results) {
    const { p50Ms: p50, p99Ms: p99, cpuSecondsPer1000: cpu, residentMiB: memory, serviceRatio } = result;
    const [middle, ...figures] = [reached, p50, p99, cpu, memory].map(median);
    const ratio = serviceRatio?.toFixed(2) ?? '';
    const latencies = [p50, p99].flatMap((spread) => [median(spread), rangeOf(spread)]);
    if (rate !== undefined) paced.push([scenario, rate, server, middle, ...latencies, median(cpu)]);
    else runs.push([scenario, connections, server, middle, rangeOf(reached), ...figures, ratio]);
  }
  const starts = tableOf('server  title  ready ms  rest MiB  peak MiB');
  for (const { name, title, readyMs, restMiB, peakMiB } of servers)
    starts.push([name, title, ...[readyMs, restMiB, peakMiB].map(inWords)]);
  const bad =
    faults.length > 0 ? ['Left out, because of faults:', ...faults.map((fault) => `  ${fault}`)] : [];
  return [runs.toString(), paced.toString(), starts.toString(), ...bad, ''].join('\n');
}

const median = (spread: Spread | undefined) => spread?.median ?? 'faulty';
const rangeOf = (spread: Spread | undefined) => (spread ? `${spread.min}..${spread.max}` : '');

const inWords = ({ median, min, max }: Spread) =>
  `${Math.round(median)} (${Math.round(min)}..${Math.round(max)})`;
