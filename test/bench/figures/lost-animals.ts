import type { BenchRequest } from '../traffic/scenarios.js';

/**
 * The least number of new pets that a run with so many responses must have created: the POSTs among its requests, which
 * are sent in this order and start again after the last. Up to `connections` of them are left out, because later requests
 * may have overtaken them.
 */
export function additionsOwed(
  requests: readonly BenchRequest[],
  answers: number,
  connections: number,
): number {
  const sure = Math.max(0, answers - connections);
  const additions = (some: readonly BenchRequest[]) => some.filter(({ method }) => method === 'POST').length;
  const rest = requests.slice(0, sure % requests.length);
  return Math.floor(sure / requests.length) * additions(requests) + additions(rest);
}
