import type { BenchRequest } from '../traffic/scenarios.js';

/**
 * How many new pets the answers of a run must have brought at least: those among its requests, which were asked in this
 * order, again from the start after the last. As many as there are connections may have been overtaken by later ones.
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
