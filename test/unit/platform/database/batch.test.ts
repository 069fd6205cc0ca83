import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Batch, DatabaseUnavailable, DuplicateKey } from '../../../../src/platform/database/index.js';
import { batchBegun, StatementFailed } from '../../../support/rooms/database.js';

/** Runs that the test ends. */
class SlowRuns {
  readonly batches: number[][] = [];
  readonly ends: ((failure?: Error) => void)[] = [];
  readonly run = (items: number[]) => {
    this.batches.push(items);
    return new Promise<string[]>((resolve, reject) => {
      const results = items.map((item) => `did ${item}`);
      this.ends.push((failure) => (failure ? reject(failure) : resolve(results)));
    });
  };
}

const OPTIONS = { name: 'reads', maxItems: 10, maxConcurrent: 4, spread: false } as const;

describe('a batch', () => {
  it('is reported with its name and size when it begins', async () => {
    const told: unknown[] = [];
    const listen = (what: unknown) => void told.push(what);
    batchBegun.subscribe(listen);
    onTestFinished(() => void batchBegun.unsubscribe(listen));
    const slow = new SlowRuns();
    const batch = new Batch(slow.run, OPTIONS);
    for (const item of [2, 3, 4]) void batch.add(item);
    await turn();
    expect(told).toEqual([{ batch: 'reads', size: 3 }]);
  });

  it('begins in the same turn of the event loop when its items have been gathered', async () => {
    const slow = new SlowRuns();
    const batch = new Batch(slow.run, { ...OPTIONS, areGathered: true });
    const nextTurn = turn();
    void batch.add(2);
    void Promise.resolve().then(() => batch.add(4));
    await nextTurn;
    expect(slow.batches).toEqual([[2, 4]]);
  });

  it('waits for more items only while the maximum of batches is running', async () => {
    const slow = new SlowRuns();
    const batch = new Batch(slow.run, OPTIONS);
    for (const item of [2, 4, 6, 8, 10, 12]) {
      void batch.add(item);
      await turn();
    }
    expect(slow.batches).toEqual([[2], [4], [6], [8]]);
    slow.ends[0]!();
    await turn();
    expect(slow.batches).toEqual([[2], [4], [6], [8], [10, 12]]);
  });

  it('is split into several batches that may begin at once, with the option spread', async () => {
    const slow = new SlowRuns();
    const batch = new Batch(slow.run, { ...OPTIONS, maxItems: 3, spread: true });
    void batch.add(2);
    await turn();
    for (const item of [4, 6, 8, 10]) void batch.add(item);
    await turn();
    expect(slow.batches).toEqual([[2], [4, 6], [8, 10]]);
    for (const item of [12, 14, 16, 18]) void batch.add(item);
    await turn();
    expect(slow.batches.slice(3)).toEqual([[12, 14, 16]]);
    slow.ends[0]!();
    await turn();
    expect(slow.batches.slice(4)).toEqual([[18]]);
  });

  it.each([
    ['a fault', () => new StatementFailed('ER_PARSE_ERROR', 'SELECT')],
    ['its total size', () => new DatabaseUnavailable(new Error('1153'), 'too_large')],
    ['a key that is taken', () => new DuplicateKey()],
  ])('is executed one item at a time after it failed for %s', async (_, failure) => {
    const slow = new SlowRuns();
    const batch = new Batch(slow.run, OPTIONS);
    const settled = Promise.allSettled([2, 4, 6].map((item) => batch.add(item)));
    await turn();
    slow.ends[0]!(failure());
    await turn();
    // The items run one after another in the slot of the batch.
    expect(slow.batches).toEqual([[2, 4, 6], [2]]);
    slow.ends[1]!();
    await turn();
    slow.ends[2]!(failure());
    await turn();
    expect(slow.batches).toEqual([[2, 4, 6], [2], [4], [6]]);
    slow.ends[3]!();
    expect(await settled).toEqual([
      { status: 'fulfilled', value: 'did 2' },
      { status: 'rejected', reason: failure() },
      { status: 'fulfilled', value: 'did 6' },
    ]);
  });
});
