import { setTimeout as sleep } from 'node:timers/promises';
import { programPath } from '../../support/processes/local-program.js';
import { Program } from '../../support/program.js';
import { PLACES } from '../command/places.js';

export interface Load {
  readonly origin: string;
  readonly key: string;
  /** File of requests in the format of `walk.lua`. */
  readonly file: string;
  /** File of keys that replace `key` and are used in rotation. */
  readonly keysFile?: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Figures from wrk or the open loop. */
export interface Seen {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Including headers, which reveals a server that responds with less. */
  readonly bytesPerAnswer: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly faults: string[];
}

/**
 * Warm-up load of each scenario on each server before a measurement: enough for V8 to compile the hot code, however few
 * connections the measurement has.
 */
export const WARM_UP = { connections: 64, seconds: 2 };

export async function runWrk(
  { origin, key, file, keysFile, connections, seconds }: Load,
  signal: AbortSignal,
): Promise<Seen> {
  // wrk accepts whole seconds only, so SIGINT ends it at the right time: it then stops and reports.
  const longer = `${Math.ceil(seconds) + 60}s`;
  const shape = ['--threads=1', `--connections=${connections}`, `--duration=${longer}`, '--timeout=10s'];
  const script = ['--latency', '--script', PLACES.walk, '--header', `Authorization: Bearer ${key}`];
  const files = keysFile ? [file, keysFile] : [file];
  const wrk = Program.run(programPath('wrk')!, [...shape, ...script, origin, '--', ...files], {});
  try {
    await Promise.race([sleep(seconds * 1000, undefined, { signal }), wrk.end()]);
  } finally {
    await wrk.stop('SIGINT');
  }
  return parseWrk(wrk.output);
}

const FAULTS = {
  refused: 'answers that are no 2xx or 3xx',
  connect: 'failed connects',
  read: 'failed reads',
  write: 'failed writes',
  timeout: 'timeouts',
} as const;

/** Parses the result line that `walk.lua` prints at the end. */
export function parseWrk(output: string): Seen {
  const line = /^result (\{.*\})$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk printed no result:\n${output}`);
  const numbers = JSON.parse(line) as Record<
    keyof typeof FAULTS | 'requests' | 'bytes' | 'microseconds' | 'p50' | 'p99',
    number
  >;
  const faults = Object.entries(FAULTS)
    .filter(([name]) => numbers[name as keyof typeof FAULTS] > 0)
    .map(([name, words]) => `${numbers[name as keyof typeof FAULTS]} ${words}`);
  if (numbers.requests === 0) faults.push('no answers at all');
  return {
    requests: numbers.requests,
    requestsPerSecond: numbers.requests / (numbers.microseconds / 1e6),
    bytesPerAnswer: numbers.bytes / numbers.requests,
    p50Ms: numbers.p50 / 1000,
    p99Ms: numbers.p99 / 1000,
    faults,
  };
}
