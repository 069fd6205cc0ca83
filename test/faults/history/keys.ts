import type { Add, History, Operation, Order, Violation } from './history.js';

/** Whether something may have been done. */
export const isMade = ({ outcome }: Operation): boolean => outcome === 'done' || outcome === 'unknown';

export const sentFirst = (attempts: readonly Operation[]): number =>
  Math.min(...attempts.map(({ sent }) => sent));

/** All attempts with each idempotency key. */
export function keyed<Kind extends Add | Order>(operations: readonly Kind[]): Map<string, Kind[]> {
  const attempts = new Map<string, Kind[]>();
  for (const operation of operations) {
    if (operation.key === undefined) continue;
    attempts.set(operation.key, [...(attempts.get(operation.key) ?? []), operation]);
  }
  return attempts;
}

/**
 * Requests with one idempotency key get the same response each time, and a name is stored at most once.
 * `checkAnimals` checks that no order is placed twice: each request with its own key explains one order of a pet.
 */
export function checkKeys({ operations, pets }: History): Violation[] {
  const posts = operations.filter((operation) => operation.kind === 'add' || operation.kind === 'order');
  const differing = [...keyed(posts)].flatMap(([key, attempts]) => {
    const answers = new Set(attempts.filter(({ outcome }) => outcome === 'done').map(({ answer }) => answer));
    return answers.size > 1
      ? [{ rule: 'answered differently', text: `key ${key}: ${[...answers].join(' and ')}` }]
      : [];
  });
  const names = pets.map(({ name }) => name);
  const twice = names.filter((name, i) => names.indexOf(name, i + 1) !== -1);
  return [...differing, ...twice.map((name) => ({ rule: 'done twice', text: `two animals are ${name}` }))];
}
