import { Replica } from './replica.js';

/** Starts several replicas, each with the database URL for its number. The first migrates before the others start. */
export async function startReplicas(
  count: number,
  urlOf: (replica: number) => string,
  environment: Record<string, string> = {},
): Promise<Replica[]> {
  const first = await Replica.start(urlOf(0), environment);
  const others = Array.from({ length: count - 1 }, (_, i) => Replica.start(urlOf(i + 1), environment));
  return [first, ...(await Promise.all(others))];
}
