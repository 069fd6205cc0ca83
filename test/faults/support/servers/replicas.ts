import { Replica } from './replica.js';

/** Several replicas; each is told by its number where the database is. The first migrates before the others begin. */
export async function startReplicas(
  count: number,
  urlOf: (replica: number) => string,
  environment: Record<string, string> = {},
): Promise<Replica[]> {
  const first = await Replica.start(urlOf(0), environment);
  const others = Array.from({ length: count - 1 }, (_, i) => Replica.start(urlOf(i + 1), environment));
  return [first, ...(await Promise.all(others))];
}
