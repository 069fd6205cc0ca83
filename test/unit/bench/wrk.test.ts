import { expect, test } from 'vitest';
import { parseWrk } from '../../bench/traffic/wrk.js';

const output = (changes: object) => {
  const numbers = { requests: 3000, bytes: 600_000, microseconds: 1_500_000, p50: 1500, p99: 20_250 };
  const faults = { refused: 0, connect: 0, read: 0, write: 0, timeout: 0 };
  return `Running 1m test\n  2000 requests in 1.50s\n\nresult ${JSON.stringify({ ...numbers, ...faults, ...changes })}\n`;
};

test('the throughput and the latencies are read', () => {
  const latencies = { p50Ms: 1.5, p99Ms: 20.25 };
  const seen = { requests: 3000, requestsPerSecond: 2000, bytesPerAnswer: 200, ...latencies, faults: [] };
  expect(parseWrk(output({}))).toEqual(seen);
});

test('every failure is reported', () => {
  const { faults } = parseWrk(output({ requests: 0, refused: 2 }));
  expect(faults).toEqual(['2 answers that are no 2xx or 3xx', 'no answers at all']);
  expect(() => parseWrk('unable to connect')).toThrow('unable to connect');
});
