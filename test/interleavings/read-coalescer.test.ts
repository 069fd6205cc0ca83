import fc from 'fast-check';
import { expect } from 'vitest';
import { readCoalescer as module } from '../support/rooms/http.js';
import { inAnyOrder } from './orders.js';

/** Requests for one of two lists arrive at any time between changes of the lists. Some reads fail. */
const plan = fc.record({
  requests: fc.array(fc.constantFrom('one', 'other'), { minLength: 1, maxLength: 6 }),
  changes: fc.nat(3),
  failingReads: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
});

inAnyOrder('a shared read returns everything that was stored before the request arrived', {
  module,
  plan,
  async story({ ReadCoalescer }, { requests, changes, failingReads }, order) {
    const shared = new ReadCoalescer<number>();
    let version = 0;
    let reads = 0;
    const running = new Set<string>();
    const read = async (list: string) => {
      const number = reads++;
      expect(running.has(list)).toBe(false);
      running.add(list);
      await order.event(`read ${number} sees the list`);
      const seen = version;
      await order.event(`read ${number} ends`);
      running.delete(list);
      if (failingReads.includes(number)) throw new Error(String(number));
      return seen;
    };

    let answered = 0;
    const failures = new Set<string>();
    for (const list of requests) {
      void order.event(`a request for ${list}`).then(async () => {
        const [before, readsBefore] = [version, reads];
        try {
          expect(await shared.get(list, () => read(list))).toBeGreaterThanOrEqual(before);
        } catch (error) {
          // A request fails only with a read that began after the request arrived.
          if (!(error instanceof Error && /^\d+$/.test(error.message))) failures.add(String(error));
          else if (Number(error.message) < readsBefore) failures.add(`failed by read ${error.message}`);
        }
        answered += 1;
      });
    }
    for (let i = 0; i < changes; i++) void order.event('a change').then(() => (version += 1));
    await order.play();
    expect([...failures]).toEqual([]);
    expect(answered).toBe(requests.length);
  },
  faults: {
    'a request sees everything that was stored before it arrived':
      'return reads.running ?? (reads.pending ??= this.#begin(key, reads, read));',
  },
});
