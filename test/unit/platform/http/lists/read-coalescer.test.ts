import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readCoalescer } from '../../../../support/rooms/http.js';

const { ReadCoalescer } = readCoalescer;

/** Reads that the test ends; each returns its own number, counted from 1 in the order of their start. */
class SlowReadings {
  readonly ends: ((failure?: Error) => void)[] = [];
  readonly read = () =>
    new Promise<number>((resolve, reject) => {
      const number = this.ends.length + 1;
      this.ends.push((failure) => (failure ? reject(failure) : resolve(number)));
    });
}

describe('requests for the same list', () => {
  it('share one read in one turn of the event loop, also after an earlier read has ended', async () => {
    const shared = new ReadCoalescer<number>();
    for (const number of [1, 2, 3]) {
      let readings = 0;
      const read = async () => (readings += 1) && number;
      const first = shared.get('list', read);
      // It came with the same bytes from the socket, but is read some promises later.
      for (let i = 0; i < 20; i++) await Promise.resolve();
      expect(await Promise.all([first, shared.get('list', read)])).toEqual([number, number]);
      expect(readings).toBe(1);
    }
  });

  it('are kept apart however many lists there are, and do not share a read that began earlier', async () => {
    const shared = new ReadCoalescer<number>();
    const slow = new SlowReadings();
    const first = shared.get('first', slow.read);
    await turn();
    for (let i = 0; i < 2_500; i++) expect(await shared.get(`list ${i}`, async () => i)).toBe(i);
    const late = [shared.get('first', slow.read), shared.get('first', slow.read)];
    slow.ends[0]!();
    expect(await first).toBe(1);
    await turn();
    slow.ends[1]!();
    expect(await Promise.all(late)).toEqual([2, 2]);
  });
});
