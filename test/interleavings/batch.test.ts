import fc from 'fast-check';
import { expect } from 'vitest';
import { DatabaseUnavailable } from '../../src/platform/database/index.js';
import { StatementFailed, batch as module } from '../support/rooms/database.js';
import { inAnyOrder } from './orders.js';

/** Items arrive at any time. The bad item fails whatever it is run with. Some runs fail because the database is unavailable. */
const plan = fc.record({
  isPoison: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
  runsWhileAway: fc.uniqueArray(fc.nat(5), { maxLength: 1 }),
  options: fc.record({
    maxItems: fc.integer({ min: 1, max: 4 }),
    maxConcurrent: fc.integer({ min: 1, max: 3 }),
    spread: fc.boolean(),
  }),
});

inAnyOrder('a batch gives each item its own result, whatever else it contains', {
  module,
  plan,
  async story({ Batch }, { isPoison, runsWhileAway, options }, order) {
    let running = 0;
    const runs: number[][] = [];
    const lost = new Set<number>();
    const batch = new Batch(
      async (items: number[]) => {
        const number = runs.push(items) - 1;
        expect(items.length).toBeLessThanOrEqual(options.maxItems);
        expect((running += 1)).toBeLessThanOrEqual(options.maxConcurrent);
        await order.event(`run ${number} ends`);
        running -= 1;
        if (runsWhileAway.includes(number)) {
          for (const item of items) lost.add(item);
          throw new DatabaseUnavailable();
        }
        if (items.some((item) => isPoison[item])) throw new StatementFailed('poison', 'SELECT');
        return items.map((item) => `did ${item}`);
      },
      { name: 'reads', ...options },
    );
    const outcomes = isPoison.map(() => 'none');
    for (const item of isPoison.keys()) {
      void order
        .event(`${item} comes`)
        .then(() => batch.add(item))
        .then(
          (result) => (outcomes[item] = result),
          (error: Error) => (outcomes[item] = error.constructor.name),
        );
    }
    await order.play();
    const due = (item: number) => (isPoison[item] ? 'StatementFailed' : `did ${item}`);
    expect(outcomes).toEqual(isPoison.map((_, item) => (lost.has(item) ? 'DatabaseUnavailable' : due(item))));
  },
  faults: {
    'one bad item fails alone': 'const mayBeOfOne = false;',
  },
});
