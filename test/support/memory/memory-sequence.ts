import type { Int64 } from '../../../src/kernel/int64.js';
import { Sequence } from '../../../src/kernel/sequence.js';

/** Counts from 1, in memory, for tests that need no database. */
export class MemorySequence extends Sequence {
  #last = 0n;

  override next(): Promise<Int64> {
    this.#last += 1n;
    return Promise.resolve(this.#last);
  }
}
