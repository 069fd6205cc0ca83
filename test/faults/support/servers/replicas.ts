import { startBuilt } from '../../../support/built-service.js';
import { Replica } from './replica.js';

/** Starts several replicas, each with the database URL for its number. The first migrates before the others start. */
export async function startReplicas(
  count: number,
  urlOf: (replica: number) => string,
  environment: Record<string, string> = {},
  program = startBuilt,
): Promise<Replica[]> {
  const start = (i: number) => Replica.start(urlOf(i), environment, program);
  const first = await start(0);
  const others = Array.from({ length: count - 1 }, (_, i) => start(i + 1));
  return [first, ...(await Promise.all(others))];
}
