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
    const earlier = attempts.get(operation.key);
    if (earlier) earlier.push(operation);
    else attempts.set(operation.key, [operation]);
  }
  return attempts;
}

/** Requests with one idempotency key are done once and get the same response each time; a name is stored at most once. */
export function checkKeys({ operations, pets, orders }: History): Violation[] {
  const posts = operations.filter((operation) => operation.kind === 'add' || operation.kind === 'order');
  const differing = [...keyed(posts)].flatMap(([key, attempts]) => {
    const answers = new Set(attempts.filter(({ outcome }) => outcome === 'done').map(({ answer }) => answer));
    return answers.size > 1
      ? [{ rule: 'answered differently', text: `key ${key}: ${[...answers].join(' and ')}` }]
      : [];
  });
  const names = pets.map(({ name }) => name);
  const twice = names.filter((name, i) => names.indexOf(name, i + 1) !== -1);
  return [
    ...differing,
    ...twice.map((name) => ({ rule: 'done twice', text: `two animals are ${name}` })),
    ...spare(posts, orders),
  ];
}

/** Animals with more orders than the requests can explain. */
function spare(posts: readonly (Add | Order)[], orders: History['orders']): Violation[] {
  const wishes = new Map<number, Set<unknown>>();
  for (const post of posts) {
    if (post.kind !== 'order' || !isMade(post)) continue;
    const own = wishes.get(post.petId) ?? new Set();
    // Without a key each request may create its own order.
    wishes.set(post.petId, own.add(post.key ?? post));
  }
  const counts = new Map<number, number>();
  for (const { petId } of orders) counts.set(petId, (counts.get(petId) ?? 0) + 1);
  return [...counts].flatMap(([petId, count]) => {
    const wished = wishes.get(petId)?.size ?? 0;
    return count > wished
      ? [
          {
            rule: 'done twice',
            text: `animal ${petId} has ${count} orders, of which ${wished} were asked for`,
          },
        ]
      : [];
  });
}
