import type { Int64 } from './int64.js';

/** Generates the ids of new things before they are stored. */
export abstract class Sequence {
  /**
   * The next id: positive, below 2^53, never given by any replica before. Ids grow, but may have gaps. An id from inside a unit
   * of work is void if the unit is rolled back.
   */
  abstract next(): Promise<Int64>;
}
